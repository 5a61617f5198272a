import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { SocMetrics } from '../../api/soc.ts'
import { paths } from '../../shell/paths.ts'
import { SectionPanel } from '../../ui/section-panel.tsx'
import classes from './soc.module.css'
import { socText } from './soc.text.ts'

const text = socText.levels

/** What is open at each level, and how many went up to it. */
export function LevelsPanel({ metrics: { open, escalations } }: { metrics: SocMetrics }) {
  return (
    <SectionPanel title={text.title}>
      <ol className={classes['levels']}>
        {open.by_level.map(({ level, count }) => {
          const escalated = escalations.find((part) => part.level === level)
          return (
            <li key={level}>
              {escalated !== undefined && (
                <span className={classes['escalated']}>
                  <IconArrowRight size={16} aria-hidden />
                  {text.escalated(escalated.count)}
                </span>
              )}
              <span className={classes['level']}>
                <b>{level}</b>
                <Link to={paths.incidents} search={{ level } as never}>
                  {text.open(count)}
                </Link>
              </span>
            </li>
          )
        })}
      </ol>
    </SectionPanel>
  )
}
