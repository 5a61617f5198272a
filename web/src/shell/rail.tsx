import { Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, useId } from 'react'
import { KeyHint } from '../ui/key-hint.tsx'
import { PLACE_GROUPS, type Place } from './places.ts'
import classes from './rail.module.css'
import { shellText } from './shell.text.ts'
import { useCan } from './use-can.ts'

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

type PlaceLinkProps = { place: Place; collapsed: boolean; onVisit: (() => void) | undefined }

function PlaceLink({ place, collapsed, onVisit }: PlaceLinkProps) {
  const can = useCan()
  const reasonId = useId()
  const reason = place.needs === undefined ? true : can(place.needs)
  const Icon = place.icon
  const closed = {
    'aria-disabled': true,
    'aria-describedby': reasonId,
    preload: false,
    onClick: (event: MouseEvent) => event.preventDefault(),
  } as const
  return (
    <>
      <Tooltip
        label={reason === true ? place.label : collapsed ? shellText.closedPlace(place.label, reason) : reason}
        position="right"
        disabled={!collapsed && reason === true}
      >
        <Link
          to={place.to}
          className={classes['link']}
          activeOptions={{ includeSearch: false }}
          aria-label={place.label}
          {...(onVisit === undefined ? {} : { onClick: onVisit })}
          {...(reason === true ? {} : closed)}
        >
          <Icon size={18} aria-hidden />
          <span className={classes['word']}>{place.label}</span>
          <span className={classes['hint']} aria-hidden>
            <KeyHint keys={`g ${place.letter}`} />
          </span>
        </Link>
      </Tooltip>
      {reason !== true && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </>
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
