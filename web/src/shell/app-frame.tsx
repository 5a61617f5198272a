import { Drawer } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useHealth } from '../api/health.ts'
import { DisplayProvider } from '../ui/display.tsx'
import { loadPart } from '../ui/load-part.ts'
import { notifyDone } from '../ui/notify.ts'
import classes from './app-frame.module.css'
import { Header } from './header.tsx'
import { openPalette } from './palette/open-palette.ts'
import { PLACES } from './places.ts'
import { usePreferences } from './preferences.ts'
import { Rail } from './rail.tsx'
import { shellText } from './shell.text.ts'
import { ShortcutSheet } from './shortcut-sheet.tsx'
import { useCan } from './use-can.ts'
import { useShortcuts } from './use-shortcuts.ts'

const Palette = lazy(async () => ({ default: (await loadPart(() => import('./palette/palette.tsx'))).Palette }))

/** What surrounds every screen: skip link, header, rail, banners, palette and the global keys. */
export function AppFrame() {
  const [preferences, change] = usePreferences()
  // A tablet has no room for words beside the lists, whatever was chosen on a larger screen.
  const narrow = useMediaQuery('(max-width: 1023px)', undefined, { getInitialValueInEffect: false }) ?? false
  const collapsed = narrow || preferences.railCollapsed
  const [menuOpen, menu] = useDisclosure(false)
  const [sheetOpen, sheet] = useDisclosure(false)
  const navigate = useNavigate()
  const can = useCan()
  useFocusOnNewPage()
  useShortcuts({
    letters: preferences.letterKeys,
    onHelp: sheet.open,
    onPalette: openPalette,
    go: (letter) => {
      const place = PLACES.find((candidate) => candidate.letter === letter)
      const reason = place?.needs === undefined ? true : can(place.needs)
      if (reason !== true) notifyDone(reason)
      else if (place !== undefined) void navigate({ to: place.to })
      return place !== undefined
    },
  })
  return (
    <DisplayProvider display={preferences}>
      <a href="#content" className={classes['skip']}>
        {shellText.skip}
      </a>
      <Header onMenu={menu.open} onShortcuts={sheet.open} />
      <div className={classes['columns']}>
        <aside className={classes['side']} data-collapsed={collapsed || undefined}>
          <Rail collapsed={collapsed} {...(narrow ? {} : { onCollapse: () => change({ railCollapsed: !collapsed }) })} />
        </aside>
        <div className={classes['middle']}>
          <ServiceBanner />
          <main id="content" tabIndex={-1} className={classes['content']}>
            <Outlet />
          </main>
        </div>
      </div>
      <Drawer
        opened={menuOpen}
        onClose={menu.close}
        size={240}
        title={shellText.product}
        closeButtonProps={{ 'aria-label': shellText.close }}
      >
        <Rail collapsed={false} onVisit={menu.close} />
      </Drawer>
      <ShortcutSheet open={sheetOpen} onClose={sheet.close} />
      <Suspense>
        <Palette />
      </Suspense>
    </DisplayProvider>
  )
}

/** Screen readers hear of a new page only when focus goes there; a changed filter is not a new page. */
function useFocusOnNewPage(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return
        // An open dialog keeps the focus that is in it.
        if (document.querySelector('[role=dialog]') !== null) return
        document.getElementById('content')?.focus({ preventScroll: true })
      }),
    [router],
  )
}

function ServiceBanner() {
  const { health, unreachable } = useHealth()
  const text = unreachable ? shellText.serviceDown : health?.database === 'unreachable' ? shellText.databaseDown : undefined
  return text === undefined ? null : (
    <p role="status" className={classes['banner']}>
      {text}
    </p>
  )
}
