import { Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { KeyHint } from '../ui/key-hint.tsx'
import { PLACE_GROUPS, type Place } from './places.ts'
import classes from './rail.module.css'
import { shellText } from './shell.text.ts'

/** The places, by group; icons alone when collapsed. */
export function Rail({ collapsed, onCollapse, onVisit }: { collapsed: boolean; onCollapse?: () => void; onVisit?: () => void }) {
  return (
    <div className={classes['rail']} data-collapsed={collapsed || undefined}>
      <nav aria-label={shellText.navigation} className={classes['nav']}>
        {PLACE_GROUPS.map((group) => (
          <section key={group.id} aria-label={group.label} className={classes['group']}>
            <h2 className={classes['label']}>{group.label}</h2>
            <ul className={classes['list']}>
              {group.places.map((place) => (
                <li key={place.id}>
                  <PlaceLink place={place} collapsed={collapsed} onVisit={onVisit} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      {onCollapse !== undefined && <CollapseButton collapsed={collapsed} onCollapse={onCollapse} />}
    </div>
  )
}

function PlaceLink({ place, collapsed, onVisit }: { place: Place; collapsed: boolean; onVisit: (() => void) | undefined }) {
  const Icon = place.icon
  return (
    <Tooltip label={place.label} position="right" disabled={!collapsed}>
      <Link
        to={place.to}
        className={classes['link']}
        activeOptions={{ includeSearch: false }}
        aria-label={place.label}
        {...(onVisit === undefined ? {} : { onClick: onVisit })}
      >
        <Icon size={18} aria-hidden />
        <span className={classes['word']}>{place.label}</span>
        <span className={classes['hint']} aria-hidden>
          <KeyHint keys={`g ${place.letter}`} />
        </span>
      </Link>
    </Tooltip>
  )
}

function CollapseButton({ collapsed, onCollapse }: { collapsed: boolean; onCollapse: () => void }) {
  const label = collapsed ? shellText.expand : shellText.collapse
  const Icon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <button type="button" className={classes['collapse']} onClick={onCollapse} aria-label={label} title={label}>
      <Icon size={18} aria-hidden />
    </button>
  )
}
