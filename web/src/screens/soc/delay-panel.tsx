import { IconAlertTriangle } from '@tabler/icons-react'
import type { SocDelays } from '../../api/soc.ts'
import { SectionPanel } from '../../ui/section-panel.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { BulletBar } from './bullet-bar.tsx'
import { reachOf } from './bullet-scale.ts'
import classes from './soc.module.css'
import { socText } from './soc.text.ts'

const text = socText.delays
/** Below so many, figures say little. Source: design brief, SOC steering. */
const ENOUGH = 5

type DelayPanelProps = { text: { title: string; explain: string }; delays: SocDelays; note?: string | undefined }

/** How long one kind of promise took: over all, and by severity against its target. */
export function DelayPanel({ text: { title, explain }, delays, note }: DelayPanelProps) {
  const { n, mean_ms, median_ms, p90_ms, by_severity } = delays
  const reach = reachOf(by_severity)
  return (
    <SectionPanel title={title}>
      <p className="svc-dim">{explain}</p>
      <dl className={classes['tiles']}>
        <Tile name={text.mean} value={text.length(mean_ms)} />
        <Tile name={text.median} value={text.length(median_ms)} />
        <Tile name={text.p90} value={text.length(p90_ms)} />
        <Tile name={text.n} value={String(n)} />
      </dl>
      {n === 0 && <p className="svc-dim">{text.nothing}</p>}
      {n > 0 && n < ENOUGH && (
        <p className={classes['few']}>
          <IconAlertTriangle size={14} aria-hidden /> {text.few(n)}
        </p>
      )}
      <ul className={classes['bullets']}>
        {by_severity.map((row) => (
          <li key={row.severity}>
            <SeverityTag severity={row.severity} />
            <BulletBar bullet={row} reach={reach} />
            <span className={classes['lateWords']} data-late={row.breached > 0 || undefined}>
              {text.late(row.breached, row.total)}
            </span>
            <span className={classes['figures']}>
              {text.row(row)}
              {row.n > 0 && row.n < ENOUGH && <b> &lt; {ENOUGH}</b>}
            </span>
          </li>
        ))}
      </ul>
      <p className={classes['legend']} aria-hidden>
        <span data-mark="median">{text.legend.median}</span>
        <span data-mark="p90">{text.legend.p90}</span>
        <span data-mark="target">{text.legend.target}</span>
      </p>
      {note !== undefined && <p className="svc-dim">{note}</p>}
    </SectionPanel>
  )
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div className={classes['tile']}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
