import type { AuditEvent } from '../../api/audit.ts'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { auditText } from './administration.text.ts'
import { ActionWord, actorWords, OutcomeWord, targetWords } from './audit-words.tsx'

const names = auditText.columns

/** Columns of the journal. Times are exact: who reads it compares moments. */
export const AUDIT_COLUMNS: readonly DataColumn<AuditEvent>[] = [
  { id: 'at', header: names.at, width: '212px', cell: (row) => <TimeText value={row.at} form="precise" /> },
  { id: 'action', header: names.action, lead: true, cell: (row) => <ActionWord event={row} /> },
  { id: 'outcome', header: names.outcome, width: '104px', cell: (row) => <OutcomeWord outcome={row.outcome} /> },
  { id: 'actor', header: names.actor, width: '122px', cell: (row) => <span title={actorWords(row)}>{actorWords(row)}</span> },
  {
    id: 'target',
    header: names.target,
    drop: 3,
    cell: (row) => <span title={targetWords(row)}>{targetWords(row) ?? <span className="svc-dim">{auditText.none}</span>}</span>,
  },
  {
    id: 'client',
    header: names.client,
    width: '132px',
    drop: 1,
    cell: (row) =>
      row.client_ip === null ? <span className="svc-dim">{auditText.none}</span> : <span className="svc-mono">{row.client_ip}</span>,
  },
  {
    id: 'chain',
    header: names.chain,
    width: '92px',
    drop: 2,
    // The loud mark stands beside the action, at every width.
    cell: (row) => <StateWord state={row.chain === 'OK' ? 'ok' : 'refused'} word={auditText.chain[row.chain]} />,
  },
]
