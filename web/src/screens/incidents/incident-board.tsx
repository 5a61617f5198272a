import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { type Incident, type IncidentPage, type IncidentStep, incidentPageQuery } from '../../api/incidents.ts'
import { toProblem } from '../../api/problem.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { paths } from '../../shell/paths.ts'
import { useDisplay } from '../../ui/display.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { nextCard } from './board-move.ts'
import { ClockWord } from './incident-columns.tsx'
import classes from './incidents.module.css'
import { boardStepsOf, type IncidentsSearch, toIncidentQuery } from './incidents.search.ts'
import { incidentsText } from './incidents.text.ts'

const text = incidentsText.board

/** The same incidents as in the list, by step: arrows or j/k move, Enter opens. */
export function IncidentBoard({ search }: { search: IncidentsSearch }) {
  const steps = boardStepsOf(search)
  const pages = useQueries({
    queries: steps.map((step) => incidentPageQuery(toIncidentQuery({ ...search, cursor: undefined, status: [step] }))),
  })
  const { letterKeys } = useDisplay()
  const box = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string>()
  const columns = pages.map(({ data }) => data?.items ?? [])
  const ids = columns.map((cards) => cards.map(({ id }) => id))
  const reachable = current !== undefined && ids.some((column) => column.includes(current)) ? current : ids.flat()[0]
  const failed = pages.find(({ error, data }) => error !== null && data === undefined)

  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || reachable === undefined) return
    const column = ids.findIndex((cards) => cards.includes(reachable))
    const row = ids[column]?.indexOf(reachable) ?? 0
    const counts = ids.map((cards) => cards.length)
    const to = nextCard(event.key, { column, row }, counts, letterKeys)
    if (to === undefined) return
    event.preventDefault()
    box.current?.querySelector<HTMLElement>(`[data-card="${ids[to.column]?.[to.row]}"]`)?.focus()
  }
  const remember = (event: FocusEvent) => {
    const card = event.target instanceof HTMLElement ? event.target.dataset['card'] : undefined
    if (card !== undefined) setCurrent(card)
  }
  if (failed?.error != null) return <ProblemNotice problem={toProblem(failed.error)} onRetry={() => void failed.refetch()} />
  return (
    <ScrollBox label={text.label}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the cards are links; their board only moves the focus between them */}
      <div ref={box} className={classes['board']} onKeyDown={move} onFocus={remember}>
        {steps.map((step, index) => (
          <Column key={step} step={step} page={pages[index]?.data} reachable={reachable} search={search} />
        ))}
      </div>
    </ScrollBox>
  )
}

type ColumnProps = { step: IncidentStep; page: IncidentPage | undefined; reachable: string | undefined; search: IncidentsSearch }

function Column({ step, page, reachable, search }: ColumnProps) {
  const titleId = useId()
  return (
    <section className={classes['column']} aria-labelledby={titleId} aria-busy={page === undefined}>
      <h2 id={titleId}>{text.column(incidentText.step[step], page?.total, page?.total_exact ?? true)}</h2>
      <ul>
        {page?.items.map((incident) => (
          <li key={incident.id}>
            <Card incident={incident} reachable={incident.id === reachable} />
          </li>
        ))}
      </ul>
      {page?.items.length === 0 && <p className={classes['aside']}>{text.none}</p>}
      {page !== undefined && page.next !== null && (
        <Link to={paths.incidents} search={{ ...search, status: [step], layout: undefined } as never}>
          {text.all}
        </Link>
      )}
    </section>
  )
}

function Card({ incident, reachable }: { incident: Incident; reachable: boolean }) {
  return (
    <Link
      to={paths.incident}
      params={{ id: incident.id }}
      preload={false}
      className={classes['card']}
      data-card={incident.id}
      tabIndex={reachable ? 0 : -1}
    >
      <b className={classes['title']}>{incident.title}</b>
      <span className={classes['cardFacts']}>
        <SeverityTag severity={incident.severity} />
        <span>{incident.level}</span>
        <span className="svc-dim">{incident.assignee ?? incidentText.nobody}</span>
      </span>
      <ClockWord incident={incident} />
    </Link>
  )
}
