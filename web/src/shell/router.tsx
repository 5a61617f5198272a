import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { isLoggedIn } from '../api/session.ts'
import { AppFrame } from './app-frame.tsx'
import { CrashPage, RootCrashPage } from './crash-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { HOME, paths, safeReturnPath } from './paths.ts'
import { readSearch, searchSchema, textParam, writeSearch } from './search-schema.ts'

/** Longest wished address that the login keeps, characters. Assumption: well above a full set of filters. */
const RETURN_MAX_LENGTH = 4000

const parseLoginSearch = searchSchema({ return: textParam(RETURN_MAX_LENGTH), ended: z.literal('true') })

const root = createRootRoute({ errorComponent: RootCrashPage })

const login = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  validateSearch: parseLoginSearch,
  beforeLoad: ({ search }) => {
    if (isLoggedIn()) throw redirect({ href: safeReturnPath(search.return), replace: true })
  },
  component: lazyRouteComponent(() => import('../screens/login/login-screen.tsx'), 'LoginScreen'),
})

/** Everything behind the login. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  beforeLoad: ({ location }) => {
    if (!isLoggedIn())
      throw redirect({ to: paths.login, search: location.pathname === '/' ? {} : { return: location.href }, replace: true })
  },
  component: AppFrame,
})

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: HOME, replace: true })
  },
})

const iocs = createRoute({
  getParentRoute: () => frame,
  path: paths.iocs,
  component: lazyRouteComponent(() => import('../screens/iocs/iocs-screen.tsx'), 'IocsScreen'),
})

const ioc = createRoute({
  getParentRoute: () => frame,
  path: paths.ioc,
  component: lazyRouteComponent(() => import('../screens/iocs/ioc-detail-screen.tsx'), 'IocDetailScreen'),
})

const sources = createRoute({
  getParentRoute: () => frame,
  path: paths.sources,
  component: lazyRouteComponent(() => import('../screens/sources/sources-screen.tsx'), 'SourcesScreen'),
})

/** A route, not the router's own fallback, so that the frame stays around it. */
const elsewhere = createRoute({ getParentRoute: () => frame, path: '$', component: NotFoundPage })

export const router = createRouter({
  routeTree: root.addChildren([login, frame.addChildren([home, iocs, ioc, sources, elsewhere])]),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: CrashPage,
  defaultNotFoundComponent: NotFoundPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
