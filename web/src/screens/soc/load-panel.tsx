import { Link } from '@tanstack/react-router'
import type { AnalystLoad } from '../../api/soc.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import { paths } from '../../shell/paths.ts'
import { useCan } from '../../shell/use-can.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { SectionPanel } from '../../ui/section-panel.tsx'
import classes from './soc.module.css'
import { socText } from './soc.text.ts'

const text = socText.load
/** As many as stand beside the levels without scrolling. Assumption. */
const FEW = 12

/** Open incidents by analyst, the heaviest load first. */
export function LoadPanel({ load }: { load: readonly AnalystLoad[] }) {
  const may = useCan()('soc.load.read')
  return (
    <SectionPanel title={text.title}>
      {may !== true || load.length === 0 ? (
        <p className="svc-dim">{may === true ? text.nothing : may}</p>
      ) : load.length <= FEW ? (
        <LoadBars load={load} />
      ) : (
        <ScrollBox label={text.scroll} tall>
          <LoadBars load={load} />
        </ScrollBox>
      )}
    </SectionPanel>
  )
}

function LoadBars({ load }: { load: readonly AnalystLoad[] }) {
  const most = Math.max(...load.map(({ total }) => total))
  return (
    <ul className={classes['load']}>
      {load.map(({ analyst, l1, l2, l3, total }) => (
        <li key={analyst ?? ''}>
          <span className={classes['analyst']}>
            {analyst ?? (
              <Link to={paths.incidents} search={{ assignee: 'none' } as never}>
                {incidentText.nobody}
              </Link>
            )}
          </span>
          <span className={classes['loadTrack']} aria-hidden>
            {[l1, l2, l3].map((open, level) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the three levels stand in their order
              <span key={level} data-level={level + 1} style={{ width: `${(100 * open) / most}%` }} />
            ))}
          </span>
          <span className="svc-dim">{text.split(total, l1, l2, l3)}</span>
        </li>
      ))}
    </ul>
  )
}
