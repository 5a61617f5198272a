import { useElementSize } from '@mantine/hooks'
import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import type { FlowBar } from './fold-days.ts'
import classes from './soc.module.css'
import { socText } from './soc.text.ts'

const text = socText.flow
/** Sizes of the drawing, px. */
const TOP = 8
const BARS_HEIGHT = 130
const BACKLOG_HEIGHT = 70
const GAP = 26
const AXIS = 20
const HEIGHT = TOP + BARS_HEIGHT + GAP + BACKLOG_HEIGHT + AXIS
const MARGIN = { left: 34, right: 8 }
/** Room of one date below the drawing, px. */
const DATE_ROOM = 64

/** Opened upwards and closed downwards, and below them what was left open: two scales never share one drawing. */
export function FlowChart({ bars }: { bars: readonly FlowBar[] }) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className={classes['flow']} style={{ height: HEIGHT }}>
      {width > 0 && <Drawing bars={bars} width={width} />}
    </div>
  )
}

function Drawing({ bars, width }: { bars: readonly FlowBar[]; width: number }) {
  const ends: [number, number] = [MARGIN.left, width - MARGIN.right]
  const x = scaleBand<string>(
    bars.map(({ from }) => from),
    ends,
  ).padding(0.2)
  const most = Math.max(1, ...bars.map(({ opened, reopened, closed }) => Math.max(opened + reopened, closed)))
  const y = scaleLinear([-most, most], [TOP + BARS_HEIGHT, TOP])
  const mostOpen = Math.max(1, ...bars.map(({ backlog }) => backlog))
  const floor = TOP + BARS_HEIGHT + GAP + BACKLOG_HEIGHT
  const level = scaleLinear([0, mostOpen], [floor, floor - BACKLOG_HEIGHT])
  const middleOf = ({ from }: FlowBar) => (x(from) ?? 0) + x.bandwidth() / 2
  const every = Math.max(1, Math.ceil((bars.length * DATE_ROOM) / width))
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={summaryOf(bars)}>
      {[
        { at: y(most), label: most },
        { at: y(0), label: 0 },
        { at: y(-most), label: most },
        { at: level(mostOpen), label: mostOpen },
        { at: level(0), label: 0 },
      ].map(({ at, label }) => (
        <g key={at}>
          <line className={classes['grid']} x1={ends[0]} x2={ends[1]} y1={at} y2={at} />
          <text className={classes['axis']} x={ends[0] - 6} y={at + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {bars.map((bar) => (
        <g key={bar.from}>
          <title>{text.bar(text.days(bar.from, bar.to), bar)}</title>
          <rect className={classes['hover']} x={x(bar.from)} y={0} width={x.bandwidth()} height={floor} />
          <rect
            className={classes['openedBar']}
            x={x(bar.from)}
            y={y(bar.opened + bar.reopened)}
            width={x.bandwidth()}
            height={y(0) - y(bar.opened + bar.reopened)}
          />
          <rect className={classes['closedBar']} x={x(bar.from)} y={y(0)} width={x.bandwidth()} height={y(-bar.closed) - y(0)} />
        </g>
      ))}
      <path className={classes['backlog']} d={line<FlowBar>(middleOf, ({ backlog }) => level(backlog))(bars) ?? ''} />
      <text className={classes['name']} x={ends[0] + 4} y={TOP + 12}>
        {text.opened}
      </text>
      <text className={classes['name']} x={ends[0] + 4} y={TOP + BARS_HEIGHT - 4}>
        {text.closed}
      </text>
      <text className={classes['name']} x={ends[0] + 4} y={floor - BACKLOG_HEIGHT + 12}>
        {text.backlog}
      </text>
      {bars.map((bar, index) =>
        (bars.length - 1 - index) % every === 0 ? (
          <text
            key={bar.from}
            className={classes['axis']}
            x={Math.min(middleOf(bar), ends[1] - DATE_ROOM / 3)}
            y={HEIGHT - 4}
            textAnchor="middle"
          >
            {text.day(bar.to)}
          </text>
        ) : null,
      )}
    </svg>
  )
}

function summaryOf(bars: readonly FlowBar[]): string {
  const sum = (of: 'opened' | 'reopened' | 'closed') => bars.reduce((total, bar) => total + bar[of], 0)
  const most = Math.max(0, ...bars.map(({ backlog }) => backlog))
  return text.summary({
    opened: sum('opened'),
    reopened: sum('reopened'),
    closed: sum('closed'),
    most,
    last: bars.at(-1)?.backlog ?? 0,
  })
}
