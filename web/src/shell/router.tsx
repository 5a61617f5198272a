import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { isLoggedIn } from '../api/session.ts'
import { AppFrame } from './app-frame.tsx'
import { CrashPage, RootCrashPage } from './crash-page.tsx'
import { requireSession, skipLogin } from './guard.ts'
import { lazyScreen } from './lazy-screen.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { HOME, paths } from './paths.ts'
import { choiceParam, readSearch, searchSchema, textParam, writeSearch } from './search-schema.ts'
import { StartPage } from './start-page.tsx'

/** Longest wished address that the login keeps, characters. Assumption: well above a full set of filters. */
const RETURN_MAX_LENGTH = 4000

const parseLoginSearch = searchSchema({
  return: textParam(RETURN_MAX_LENGTH),
  ended: choiceParam(['elsewhere', 'expired', 'disabled', 'reused']),
})

const root = createRootRoute({ errorComponent: RootCrashPage })

const login = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  validateSearch: parseLoginSearch,
  beforeLoad: async ({ search }) => await skipLogin(search.return),
  component: lazyScreen(() => import('../screens/login/login-screen.tsx'), 'LoginScreen'),
})

/** Everything behind the login. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  // Without waiting for anything, or each changed filter would take a turn longer.
  beforeLoad: ({ location }) => (isLoggedIn() ? undefined : requireSession(location)),
  component: AppFrame,
  errorComponent: StartPage,
  pendingComponent: StartPage,
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
  component: lazyScreen(() => import('../screens/iocs/iocs-screen.tsx'), 'IocsScreen'),
})

const ioc = createRoute({
  getParentRoute: () => frame,
  path: paths.ioc,
  component: lazyScreen(() => import('../screens/iocs/ioc-detail-screen.tsx'), 'IocDetailScreen'),
})

const cves = createRoute({
  getParentRoute: () => frame,
  path: paths.cves,
  component: lazyScreen(() => import('../screens/cves/cves-screen.tsx'), 'CvesScreen'),
})

const cve = createRoute({
  getParentRoute: () => frame,
  path: paths.cve,
  component: lazyScreen(() => import('../screens/cves/detail/cve-detail-screen.tsx'), 'CveDetailScreen'),
})

const triage = createRoute({
  getParentRoute: () => frame,
  path: paths.triage,
  component: lazyScreen(() => import('../screens/cves/triage/triage-screen.tsx'), 'TriageScreen'),
})

const incidents = createRoute({
  getParentRoute: () => frame,
  path: paths.incidents,
  component: lazyScreen(() => import('../screens/incidents/incidents-screen.tsx'), 'IncidentsScreen'),
})

const incident = createRoute({
  getParentRoute: () => frame,
  path: paths.incident,
  component: lazyScreen(() => import('../screens/incidents/incident-detail-screen.tsx'), 'IncidentDetailScreen'),
})

const incidentReport = createRoute({
  getParentRoute: () => frame,
  path: paths.incidentReport,
  component: lazyScreen(() => import('../screens/incidents/report-screen.tsx'), 'ReportScreen'),
})

const account = createRoute({
  getParentRoute: () => frame,
  path: paths.account,
  beforeLoad: () => {
    throw redirect({ to: paths.accountSessions, replace: true })
  },
})

const accountSessions = createRoute({
  getParentRoute: () => frame,
  path: paths.accountSessions,
  component: lazyScreen(() => import('../screens/account/sessions-screen.tsx'), 'SessionsScreen'),
})

const accountPassword = createRoute({
  getParentRoute: () => frame,
  path: paths.accountPassword,
  component: lazyScreen(() => import('../screens/account/password-screen.tsx'), 'PasswordScreen'),
})

const administration = createRoute({
  getParentRoute: () => frame,
  path: paths.administration,
  beforeLoad: () => {
    throw redirect({ to: paths.users, replace: true })
  },
})

const users = createRoute({
  getParentRoute: () => frame,
  path: paths.users,
  component: lazyScreen(() => import('../screens/administration/users-screen.tsx'), 'UsersScreen'),
})

const exclusions = createRoute({
  getParentRoute: () => frame,
  path: paths.exclusions,
  component: lazyScreen(() => import('../screens/administration/exclusions-screen.tsx'), 'ExclusionsScreen'),
})

const audit = createRoute({
  getParentRoute: () => frame,
  path: paths.audit,
  component: lazyScreen(() => import('../screens/administration/audit-screen.tsx'), 'AuditScreen'),
})

const settings = createRoute({
  getParentRoute: () => frame,
  path: paths.settings,
  component: lazyScreen(() => import('../screens/administration/settings-screen.tsx'), 'SettingsScreen'),
})

const soc = createRoute({
  getParentRoute: () => frame,
  path: paths.soc,
  component: lazyScreen(() => import('../screens/soc/soc-screen.tsx'), 'SocScreen'),
})

const sources = createRoute({
  getParentRoute: () => frame,
  path: paths.sources,
  component: lazyScreen(() => import('../screens/sources/sources-screen.tsx'), 'SourcesScreen'),
})

const quality = createRoute({
  getParentRoute: () => frame,
  path: paths.quality,
  component: lazyScreen(() => import('../screens/sources/quality-screen.tsx'), 'QualityScreen'),
})

/** A route, not the router's own fallback, so that the frame stays around it. */
const elsewhere = createRoute({ getParentRoute: () => frame, path: '$', component: NotFoundPage })

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    frame.addChildren([
      home,
      iocs,
      ioc,
      cves,
      cve,
      triage,
      incidents,
      incident,
      incidentReport,
      soc,
      sources,
      quality,
      account,
      accountSessions,
      accountPassword,
      administration,
      users,
      exclusions,
      audit,
      settings,
      elsewhere,
    ]),
  ]),
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
