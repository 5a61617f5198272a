import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { toProblem } from '../../api/problem.ts'
import { type FeedQuality, type OneFeedQuality, oneQualityQuery } from '../../api/quality.ts'
import { paths } from '../../shell/paths.ts'
import { DetailDrawer } from '../../ui/detail-drawer.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import classes from './quality.module.css'
import { percent, qualityText } from './quality.text.ts'
import { Lead } from './quality-columns.tsx'
import { count } from './sources.text.ts'

const text = qualityText.drawer
const names = qualityText.columns

export type QualityDrawerProps = {
  openId: string | undefined
  row: FeedQuality | undefined
  onClose: () => void
  onStep: ((by: 1 | -1) => void) | undefined
}

/** One source's figures in full, whom it overlaps with, and its values that stand on warning lists. */
export function QualityDrawer({ openId, row, onClose, onStep }: QualityDrawerProps) {
  const { data, error, refetch } = useQuery({ ...oneQualityQuery(openId ?? ''), enabled: openId !== undefined })
  return (
    <DetailDrawer
      openId={openId}
      title={<span className={classes['name']}>{row?.name ?? qualityText.title}</span>}
      onClose={onClose}
      onStep={onStep}
    >
      <div className={classes['drawer']}>
        {error !== null && <ProblemNotice problem={toProblem(error)} onRetry={() => void refetch()} />}
        {data === undefined && error === null && openId !== undefined && (
          <div className={classes['skeleton']} role="status" aria-label={text.loading} />
        )}
        {data !== undefined && openId !== undefined && <Figures id={openId} one={data} />}
      </div>
    </DetailDrawer>
  )
}

function Figures({ id, one }: { id: string; one: OneFeedQuality }) {
  if (one.quality === null) return <EmptyState title={text.missing} description={text.missingNext} />
  return (
    <>
      <Link to={paths.sources} search={{ open: id } as never} className={classes['out']}>
        {text.source}
      </Link>
      <SectionPanel title={text.figures}>
        <FactList facts={factsOf(one.quality)} />
      </SectionPanel>
      <SectionPanel title={text.overlaps}>
        {one.overlaps.length === 0 ? (
          <p className={classes['none']}>{text.noOverlaps}</p>
        ) : (
          <FactList
            facts={one.overlaps.map(({ name, shared_count, share }) => ({
              name,
              value: text.shared(shared_count, share === null ? qualityText.nothing : percent(share)),
            }))}
          />
        )}
      </SectionPanel>
      <SectionPanel title={text.warnings}>
        {one.warning_lists.length === 0 && <p className={classes['none']}>{text.noWarnings}</p>}
        {one.warning_lists.map(({ list_id, name, hit_count, examples }) => (
          <section key={list_id} className={classes['list']} aria-label={name}>
            <p>
              <b>{name}</b> <span className={classes['none']}>{text.hits(hit_count)}</span>
            </p>
            <ul>
              {examples.map(({ indicator_id, value }) => (
                <li key={indicator_id}>
                  <Link to={paths.ioc} params={{ id: indicator_id }} className="svc-mono">
                    {value}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </SectionPanel>
    </>
  )
}

function factsOf(row: FeedQuality) {
  const share = (of: number | null, part: number, whole: number) =>
    of === null ? qualityText.nothing : `${percent(of)} (${qualityText.measured(part, whole)})`
  return [
    { name: names.held, value: count(row.held) },
    { name: names.unique, value: share(row.unique_share, row.unique_count, row.held) },
    { name: names.first, value: share(row.first_share, row.first_count, row.compared_count) },
    { name: names.lead, value: <Lead seconds={row.lead_seconds} /> },
    { name: names.rejected, value: share(row.reject_share, row.rejected_count, row.row_count) },
    { name: names.churn, value: row.churn_share === null ? qualityText.nothing : percent(row.churn_share) },
    { name: names.warned, value: share(row.warned_share, row.warned_count, row.held) },
  ]
}
