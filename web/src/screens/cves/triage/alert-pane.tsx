import { Button } from '@mantine/core'
import { IconArrowsMaximize, IconCheck, IconUrgent } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Alert } from '../../../api/alerts.ts'
import { cveQuery } from '../../../api/cves.ts'
import { toProblem } from '../../../api/problem.ts'
import { LinkedIncidents } from '../../../shell/incident/linked-incidents.tsx'
import { paths } from '../../../shell/paths.ts'
import { ActionRow } from '../../../ui/action-row.tsx'
import { ButtonKey } from '../../../ui/button-key.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { ProblemNotice } from '../../../ui/problem-notice.tsx'
import { ReasonButton } from '../../../ui/reason-button.tsx'
import { SectionPanel } from '../../../ui/section-panel.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { CveWords } from '../cve-words.tsx'
import { KevPanel } from '../detail/kev-panel.tsx'
import { ScoreWaterfall } from '../detail/score-waterfall.tsx'
import classes from './triage.module.css'
import { triageText as text } from './triage.text.ts'

export type AlertPaneProps = {
  alert: Alert
  reason: true | string
  onAcknowledge: () => void
  /** Why no incident can be opened. */
  incidentReason: true | string
  onIncident: () => void
}

/** What a reader must know to decide about one alert: what it is, why it is urgent, and what is to be done. */
export function AlertPane({ alert, reason, onAcknowledge, incidentReason, onIncident }: AlertPaneProps) {
  const { data: cve, error, refetch } = useQuery(cveQuery(alert.cve_id))
  return (
    <div className={classes['paneBody']}>
      {cve !== undefined && <CveWords cve={cve} />}
      <ActionRow>
        <ReasonButton leftSection={<IconCheck size={14} aria-hidden />} disabledReason={reason} onClick={onAcknowledge}>
          {text.acknowledge} <ButtonKey keys="a" />
        </ReasonButton>
        <ReasonButton
          variant="default"
          leftSection={<IconUrgent size={14} aria-hidden />}
          disabledReason={incidentReason}
          onClick={onIncident}
        >
          {text.openIncident} <ButtonKey keys="i" />
        </ReasonButton>
        <Button
          variant="default"
          leftSection={<IconArrowsMaximize size={14} aria-hidden />}
          renderRoot={(props) => <Link to={paths.cve} params={{ id: alert.cve_id }} {...props} />}
        >
          {text.openPage} <ButtonKey keys="o" />
        </Button>
      </ActionRow>
      {error !== null && cve === undefined && <ProblemNotice problem={toProblem(error)} onRetry={() => void refetch()} />}
      <p className={classes['description']}>{cve?.description ?? alert.title}</p>
      {cve === undefined && error === null && <div className={classes['skeleton']} role="status" aria-label={text.reading} />}
      {cve !== undefined && (
        <>
          {cve.kev && <KevPanel cve={cve} />}
          <SectionPanel title={text.columns.score}>
            <ScoreWaterfall cve={cve} />
          </SectionPanel>
        </>
      )}
      <LinkedIncidents about={{ cve_id: alert.cve_id }} />
      <SectionPanel title={text.facts.title}>
        <FactList facts={factsOf(alert)} />
      </SectionPanel>
    </div>
  )
}

function factsOf(alert: Alert) {
  const names = text.facts
  return [
    { name: names.raised, value: <TimeText value={alert.created_at} form="both" /> },
    { name: names.score, value: alert.score },
    ...(alert.acknowledged_at === null
      ? []
      : [
          { name: names.acknowledged, value: <TimeText value={alert.acknowledged_at} form="both" /> },
          { name: names.by, value: alert.acknowledged_by ?? '' },
        ]),
    { name: names.webhook, value: text.notification[alert.notification] },
  ]
}
