import { ActionIcon, Textarea } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type IncidentDetail, useIncidentAct } from '../../api/incidents.ts'
import { lookUp } from '../../api/indicators.ts'
import { toProblem } from '../../api/problem.ts'
import { paths } from '../../shell/paths.ts'
import { MiddleEllipsis } from '../../ui/middle-ellipsis.tsx'
import { notifyDone, notifyProblem } from '../../ui/notify.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import classes from './incidents.module.css'
import { incidentsText } from './incidents.text.ts'
import { splitSubjects } from './split-subjects.ts'

/** What the incident is about, each with a way to take it off, and a box to paste more into. */
export function LinkPanels({ incident, may }: { incident: IncidentDetail; may: true | string }) {
  const acting = useIncidentAct()
  const reason = may === true && incident.status === 'CLOSED' ? incidentsText.closedReason : may
  const takeOff = (act: { do: 'unlinkCve'; cveId: string } | { do: 'unlinkIndicator'; indicatorId: string }) =>
    acting.mutate({ id: incident.id, act }, { onError: (error) => notifyProblem(toProblem(error)) })
  return (
    <>
      <SectionPanel title={incidentsText.cves.title(incident.cves.length)}>
        <ul className={classes['links']}>
          {incident.cves.map(({ id, priority, score }) => (
            <li key={id}>
              <Link to={paths.cve} params={{ id }} className="svc-mono">
                {id}
              </Link>
              <span className="svc-dim">{priority === null ? incidentsText.cves.withdrawn : `${priority} · ${score}`}</span>
              {reason === true && <TakeOff label={incidentsText.cves.remove(id)} onClick={() => takeOff({ do: 'unlinkCve', cveId: id })} />}
            </li>
          ))}
        </ul>
        {incident.cves.length === 0 && <p className={classes['aside']}>{incidentsText.links.none}</p>}
      </SectionPanel>
      <SectionPanel title={incidentsText.iocs.title(incident.indicators.length)}>
        <ul className={classes['links']}>
          {incident.indicators.map(({ id, type, value }) => (
            <li key={id}>
              <Link to={paths.ioc} params={{ id }} className={`svc-mono ${classes['linkName']}`}>
                <MiddleEllipsis text={value} />
              </Link>
              <span className="svc-dim">{type}</span>
              {reason === true && (
                <TakeOff label={incidentsText.iocs.remove(value)} onClick={() => takeOff({ do: 'unlinkIndicator', indicatorId: id })} />
              )}
            </li>
          ))}
        </ul>
        {incident.indicators.length === 0 && <p className={classes['aside']}>{incidentsText.links.none}</p>}
        <AddForm incident={incident} reason={reason} />
      </SectionPanel>
    </>
  )
}

function TakeOff({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon size={24} variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <IconX size={13} aria-hidden />
    </ActionIcon>
  )
}

/** Finds what was pasted, and adds all of it or, when something is not stored, nothing. */
function AddForm({ incident, reason }: { incident: IncidentDetail; reason: true | string }) {
  const [pasted, setPasted] = useState('')
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const [isLooking, setIsLooking] = useState(false)
  const acting = useIncidentAct()
  const { cveIds, values } = splitSubjects(pasted)
  const closed = reason !== true ? reason : cveIds.length + values.length === 0 ? incidentsText.links.empty : true
  const add = async () => {
    setIsLooking(true)
    try {
      const found = values.length === 0 ? [] : await lookUp(values)
      // A name above a value is not the value.
      const missing = found.filter(({ status, relation }) => status !== 'known' || relation !== 'exact').map(({ input }) => input)
      setUnknown(missing)
      if (missing.length > 0) return
      const ids = found.flatMap(({ indicator }) => (indicator === null ? [] : [indicator.id]))
      await acting.mutateAsync({ id: incident.id, act: { do: 'link', body: { cve_ids: cveIds, indicator_ids: ids } } })
      notifyDone(incidentsText.links.added(cveIds.length + ids.length))
      setPasted('')
    } catch (error) {
      notifyProblem(toProblem(error))
    } finally {
      setIsLooking(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (closed === true && !isLooking) void add()
  }
  return (
    <form onSubmit={submit} className={classes['addForm']}>
      <Textarea
        aria-label={incidentsText.links.label}
        placeholder={incidentsText.links.hint}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        value={pasted}
        error={unknown.length === 0 ? undefined : incidentsText.links.unknown(unknown)}
        onChange={(event) => {
          setPasted(event.currentTarget.value)
          setUnknown([])
        }}
      />
      <ReasonButton type="submit" variant="default" loading={isLooking} disabledReason={closed}>
        {incidentsText.links.add}
      </ReasonButton>
    </form>
  )
}
