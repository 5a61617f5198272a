import type { FeedQuality } from '../../api/quality.ts'
import type { DataColumn } from '../../ui/data-table.types.ts'
import classes from './quality.module.css'
import { qualityText } from './quality.text.ts'
import { ShareBar } from './share-bar.tsx'
import { count } from './sources.text.ts'

const names = qualityText.columns

/** Columns of the quality report; a share says what it is a share of when it is pointed at, and in the drawer. */
export const QUALITY_COLUMNS: readonly DataColumn<FeedQuality>[] = [
  { id: 'name', header: names.name, lead: true, sortFirst: 'asc', cell: (row) => <b className={classes['name']}>{row.name}</b> },
  { id: 'held', header: names.held, width: '92px', align: 'end', sortFirst: 'desc', cell: (row) => count(row.held) },
  {
    id: 'unique',
    header: names.unique,
    width: '142px',
    sortFirst: 'desc',
    cell: (row) => <ShareBar share={row.unique_share} part={row.unique_count} whole={row.held} />,
  },
  {
    id: 'first',
    header: names.first,
    width: '142px',
    drop: 3,
    sortFirst: 'desc',
    cell: (row) => <ShareBar share={row.first_share} part={row.first_count} whole={row.compared_count} />,
  },
  { id: 'lead', header: names.lead, width: '118px', drop: 1, sortFirst: 'desc', cell: (row) => <Lead seconds={row.lead_seconds} /> },
  {
    id: 'rejected',
    header: names.rejected,
    width: '142px',
    sortFirst: 'desc',
    cell: (row) => <ShareBar share={row.reject_share} part={row.rejected_count} whole={row.row_count} />,
  },
  { id: 'churn', header: names.churn, width: '142px', drop: 2, sortFirst: 'desc', cell: (row) => <ShareBar share={row.churn_share} /> },
  {
    id: 'warned',
    header: names.warned,
    width: '142px',
    sortFirst: 'desc',
    cell: (row) => <ShareBar share={row.warned_share} part={row.warned_count} whole={row.held} />,
  },
]

export function Lead({ seconds }: { seconds: number | null }) {
  return seconds === null ? <span className={classes['none']}>{qualityText.nothing}</span> : <span>{qualityText.lead(seconds)}</span>
}
