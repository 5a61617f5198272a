/** Addresses of every place; links are written with these, never by hand. */
export const paths = {
  login: '/login',
  iocs: '/iocs',
  ioc: '/iocs/$id',
  cves: '/cves',
  cve: '/cves/$id',
  triage: '/triage',
  incidents: '/incidents',
  incident: '/incidents/$id',
  incidentReport: '/incidents/$id/report',
  soc: '/soc',
  sources: '/sources',
  quality: '/sources/quality',
  account: '/account',
  accountSessions: '/account/sessions',
  accountPassword: '/account/password',
  administration: '/administration',
  users: '/administration/users',
  exclusions: '/administration/exclusions',
  audit: '/administration/audit',
  settings: '/administration/settings',
} as const

/** Where a reader lands after login without a wish. */
export const HOME = paths.iocs

/** The wished address when it lies inside this site, else home: a login link must not lead to another site. */
export function safeReturnPath(wished: string | undefined): string {
  if (wished === undefined || !wished.startsWith('/') || wished.startsWith('//') || wished.includes('\\')) return HOME
  // An address is judged as the browser reads it, since it skips tabs and line breaks.
  const parsed = URL.parse(wished, 'https://here.invalid')
  return parsed?.origin === 'https://here.invalid' && !parsed.pathname.startsWith(paths.login)
    ? `${parsed.pathname}${parsed.search}${parsed.hash}`
    : HOME
}
