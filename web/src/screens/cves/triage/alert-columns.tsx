import type { Alert } from '../../../api/alerts.ts'
import type { DataColumn } from '../../../ui/data-table.types.ts'
import { PriorityTag } from '../../../ui/priority-tag.tsx'
import { ScoreBar } from '../../../ui/score-bar.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { EpssWord, KevMark } from '../cve-columns.tsx'
import { cvesText } from '../cves.text.ts'
import { triageText } from './triage.text.ts'

const names = triageText.columns

/** Columns of the queue. */
export const ALERT_COLUMNS: readonly DataColumn<Alert>[] = [
  { id: 'priority', header: names.priority, width: '48px', cell: (row) => <PriorityTag priority={row.priority} /> },
  { id: 'cve', header: names.cve, width: '148px', cell: (row) => <span className="svc-mono">{row.cve_id}</span> },
  { id: 'score', header: names.score, width: '104px', drop: 3, cell: (row) => <ScoreBar points={row.score} /> },
  { id: 'kev', header: cvesText.columns.kev, width: '84px', drop: 6, cell: (row) => <KevMark {...row} /> },
  { id: 'epss', header: cvesText.columns.epss, width: '74px', align: 'end', drop: 5, cell: (row) => <EpssWord {...row} /> },
  { id: 'title', header: names.title, lead: true, cell: (row) => <span title={row.title}>{row.title}</span> },
  { id: 'raised', header: names.raised, width: '84px', drop: 4, cell: (row) => <TimeText value={row.created_at} /> },
]

/** The same with who has acknowledged. */
export const ALL_COLUMNS: readonly DataColumn<Alert>[] = [
  ...ALERT_COLUMNS,
  { id: 'acknowledged', header: names.acknowledged, width: '120px', drop: 2, cell: (row) => row.acknowledged_by ?? '' },
]
