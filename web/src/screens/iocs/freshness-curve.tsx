import { useElementSize } from '@mantine/hooks'
import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import type { ConfidenceBreakdown } from '../../api/indicators.ts'
import classes from './iocs.module.css'
import { iocsText } from './iocs.text.ts'

const text = iocsText.curve
/** Size of the drawing, px. */
const HEIGHT = 150
const MARGIN = { top: 18, right: 12, bottom: 22, left: 26 }
const SAMPLES = 80
/** Room that one label takes, px: nearer to the right end it stands to the left of its mark. Assumption: the longest at 11 px. */
const LABEL_ROOM = 110

/** How the freshness points fade with age, with the half-life and where this IOC stands today. */
export function FreshnessCurve({ freshness }: { freshness: ConfidenceBreakdown['freshness'] }) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className={classes['curve']} style={{ height: HEIGHT }}>
      {width > 0 && <Drawing freshness={freshness} width={width} />}
    </div>
  )
}

function Drawing({ freshness, width }: { freshness: ConfidenceBreakdown['freshness']; width: number }) {
  const { points, max, age_days: age, half_life_days: halfLife, ttl_days: ttl } = freshness
  const lastDay = Math.max(ttl, age) * 1.02
  const x = scaleLinear([0, lastDay], [MARGIN.left, width - MARGIN.right])
  const y = scaleLinear([0, max], [HEIGHT - MARGIN.bottom, MARGIN.top])
  const samples = Array.from({ length: SAMPLES + 1 }, (_, n): [number, number] => {
    const day = (lastDay * n) / SAMPLES
    return [x(day), y(max * 0.5 ** (day / halfLife))]
  })
  const ends = width - LABEL_ROOM
  const labelsMeet = x(ttl) - x(halfLife) < 2 * LABEL_ROOM
  const todayLeft = x(age) > ends
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={text.label(age, points, halfLife)}>
      <path className={classes['curveArea']} d={area().y0(y(0))(samples) ?? ''} />
      {y.ticks(3).map((tick) => (
        <g key={tick}>
          <line className={classes['curveGrid']} x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
          <text className={classes['curveText']} x={MARGIN.left - 6} y={y(tick) + 4} textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {x.ticks(Math.max(2, Math.floor(width / 90))).map((tick) => (
        <text key={tick} className={classes['curveText']} x={x(tick)} y={HEIGHT - 6} textAnchor={tick === 0 ? 'start' : 'middle'}>
          {text.day(tick)}
        </text>
      ))}
      <line className={classes['curveMark']} x1={x(halfLife)} x2={x(halfLife)} y1={MARGIN.top} y2={y(0)} />
      <line className={classes['curveMark']} x1={MARGIN.left} x2={x(halfLife)} y1={y(max / 2)} y2={y(max / 2)} />
      <text className={classes['curveText']} x={x(halfLife) + 6} y={MARGIN.top + 8}>
        {text.halfLife(halfLife)}
      </text>
      <line className={classes['curveMark']} x1={x(ttl)} x2={x(ttl)} y1={MARGIN.top} y2={y(0)} />
      <text className={classes['curveText']} x={x(ttl) - 4} y={MARGIN.top + (labelsMeet ? 24 : 8)} textAnchor="end">
        {text.expires(ttl)}
      </text>
      <path className={classes['curveLine']} d={line()(samples) ?? ''} />
      <circle className={classes['curveDot']} cx={x(age)} cy={y(points)} r={5} />
      <text
        className={classes['curveToday']}
        x={x(age) + (todayLeft ? -9 : 9)}
        y={Math.max(12, y(points) - 6)}
        textAnchor={todayLeft ? 'end' : 'start'}
      >
        {text.today(points)}
      </text>
    </svg>
  )
}
