import type { Indicator } from '../../api/indicators.ts'
import { ConfidenceBar } from '../../ui/confidence-bar.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { DataColumn } from '../../ui/data-table.types.ts'
import { MiddleEllipsis } from '../../ui/middle-ellipsis.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { StateWord } from '../../ui/state-word.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './iocs.module.css'
import { count, iocsText, typeText } from './iocs.text.ts'

const names = iocsText.columns

/** Columns of the IOC list, worst news first. */
export const IOC_COLUMNS: readonly DataColumn<Indicator>[] = [
  { id: 'severity', header: names.severity, width: '102px', cell: (row) => <SeverityTag severity={row.severity} /> },
  { id: 'type', header: names.type, width: '76px', drop: 8, cell: (row) => typeText[row.type] },
  { id: 'value', header: names.value, lead: true, cell: (row) => <ValueCell row={row} /> },
  {
    id: 'confidence',
    header: names.confidence,
    width: '162px',
    cell: (row) => <ConfidenceBar points={row.confidence} level={row.confidence_level} />,
  },
  { id: 'sources', header: names.sources, width: '70px', align: 'end', drop: 5, cell: (row) => count(row.source_count) },
  { id: 'hits', header: names.hits, width: '68px', align: 'end', drop: 4, cell: (row) => count(row.hit_count) },
  { id: 'first_seen', header: names.firstSeen, width: '86px', wideOnly: true, drop: 1, cell: (row) => <TimeText value={row.first_seen} /> },
  { id: 'last_seen', header: names.lastSeen, width: '86px', drop: 6, cell: (row) => <TimeText value={row.last_seen} /> },
  { id: 'expires', header: names.expires, width: '80px', wideOnly: true, drop: 2, cell: (row) => <TimeText value={row.expires_at} /> },
  { id: 'state', header: names.state, width: '102px', drop: 7, cell: (row) => <IocState ioc={row} /> },
]

/** Active, expired or excluded, as icon and word. */
export function IocState({ ioc: { active, exclusion } }: { ioc: Pick<Indicator, 'active' | 'exclusion'> }) {
  if (exclusion !== null) return <StateWord state="refused" word={iocsText.state.excluded} title={exclusion.reason} />
  return <StateWord state={active ? 'ok' : 'off'} word={active ? iocsText.state.active : iocsText.state.expired} />
}

function ValueCell({ row }: { row: Indicator }) {
  return (
    <span className={classes['value']}>
      <MiddleEllipsis text={row.value} tail={row.type === 'HASH' ? 6 : undefined} />
      <CopyButton text={row.value} what={iocsText.value} />
    </span>
  )
}
