import { ActionIcon } from '@mantine/core'
import { IconKeyboard, IconMenu2, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { demoQuery } from '../api/feeds.ts'
import { useHealth } from '../api/health.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { DisplayMenu } from './display-menu.tsx'
import classes from './header.module.css'
import { LivePill } from './live-pill.tsx'
import { openPalette } from './palette/open-palette.ts'
import { HOME } from './paths.ts'
import { ProductMark } from './product-mark.tsx'
import { shellText } from './shell.text.ts'
import { UserMenu } from './user-menu.tsx'
import { ZoneSwitch } from './zone-switch.tsx'

/** Top line of every page. */
export function Header({ onMenu, onShortcuts }: { onMenu: () => void; onShortcuts: () => void }) {
  const { health } = useHealth()
  return (
    <header className={classes['header']}>
      <ActionIcon className={classes['menu'] ?? ''} size={32} aria-label={shellText.openNavigation} onClick={onMenu}>
        <IconMenu2 size={18} aria-hidden />
      </ActionIcon>
      <div className={classes['brand']}>
        <Link to={HOME} className={classes['name']}>
          <ProductMark />
          <span className={classes['nameWord']}>{shellText.product}</span>
        </Link>
        {health !== undefined && <span className={classes['environment']}>{health.environment}</span>}
        {health !== undefined && health.environment !== 'production' && <DemoBadge />}
      </div>
      <button type="button" className={classes['search']} onClick={openPalette}>
        <IconSearch size={16} aria-hidden />
        <span className={classes['words']}>{shellText.search}</span>
        <span className={classes['hint']} aria-hidden>
          <KeyHint keys="Ctrl K" />
        </span>
      </button>
      <div className={classes['tools']}>
        <LivePill />
        <ZoneSwitch />
        <ActionIcon
          className={classes['keys'] ?? ''}
          size={32}
          aria-label={shellText.shortcuts}
          title={shellText.shortcuts}
          onClick={onShortcuts}
        >
          <IconKeyboard size={18} aria-hidden />
        </ActionIcon>
        <DisplayMenu />
        <UserMenu />
      </div>
    </header>
  )
}

/** Nobody shall take what is made up for what is known. */
function DemoBadge() {
  const { data: isDemo } = useQuery(demoQuery)
  return isDemo === true ? (
    <span className={`${classes['environment']} ${classes['demo']}`} title={shellText.demoHint}>
      {shellText.demo}
    </span>
  ) : null
}
