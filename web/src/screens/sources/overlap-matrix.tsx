import type { QualityReport } from '../../api/quality.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import classes from './quality.module.css'
import { percent, qualityText } from './quality.text.ts'

const text = qualityText.overlap
/** Steps of colour; nothing in common has the colour of the page. */
const STEPS = 4

/** Which sources hold the same values, each pair both ways; every cell says its number, so that colour only helps the eye. */
export function OverlapMatrix({ report }: { report: QualityReport }) {
  const { feed_ids, shared } = report.overlap
  const names = new Map(report.items.map(({ feed_id, name }) => [feed_id, name]))
  const feeds = feed_ids.map((id, index) => ({
    id,
    name: names.get(id) ?? id,
    held: shared[index]?.[index] ?? 0,
    row: shared[index] ?? [],
  }))
  if (feeds.length < 2) return <p className={classes['none']}>{text.none}</p>
  return (
    <>
      <p className={classes['none']}>{text.explain}</p>
      <ScrollBox label={text.scroll}>
        <table className={classes['matrix']}>
          <thead>
            <tr>
              <th scope="col">{text.corner}</th>
              {feeds.map(({ id, name }) => (
                <th key={id} scope="col" title={name}>
                  <span>{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {feeds.map((feed, index) => (
              <tr key={feed.id}>
                <th scope="row" title={feed.name}>
                  {feed.name}
                </th>
                {feeds.map((other, column) =>
                  column === index ? (
                    <td key={other.id} className={classes['none']}>
                      {text.itself}
                    </td>
                  ) : (
                    <Cell key={other.id} shared={feed.row[column] ?? 0} held={feed.held} row={feed.name} column={other.name} />
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  )
}

function Cell({ shared, held, row, column }: { shared: number; held: number; row: string; column: string }) {
  const share = held === 0 ? 0 : shared / held
  return (
    <td data-step={Math.ceil(share * STEPS)} title={text.pair(row, column, shared, held)}>
      {percent(share)}
    </td>
  )
}
