import type { ViewId } from './cves.search.ts'
import { count } from './figures.ts'

const views: Record<ViewId, string> = {
  all: 'All',
  urgent: 'P0 and P1',
  exploited: 'Known exploited',
  likely: 'Exploitable, not yet exploited',
}

/** Every text of the list of CVEs. */
export const cvesText = {
  title: 'CVEs',
  total: (total: number, exact: boolean) => `${exact ? '' : '≈ '}${count(total)} ${total === 1 ? 'CVE' : 'CVEs'}`,
  views: { label: 'Views', ...views },
  columns: {
    priority: 'P',
    id: 'CVE',
    description: 'Description',
    score: 'Score',
    cvss: 'CVSS',
    epss: 'EPSS',
    kev: 'Exploited',
    exploit: 'Exploit',
    due: 'Due',
    modified: 'Modified',
  },
  id: 'identifier',
  cvssHint: (version: string) => `CVSS ${version}`,
  epssHint: (probability: string, percentile: string) => `${probability} likely to be exploited within 30 days; percentile ${percentile}`,
  none: 'None',
  kev: { listed: 'KEV', ransomware: 'KEV, ransomware', not: 'No' },
  exploit: { published: 'Public', not: 'None' },
  dueIn: (days: number) => (days === 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${count(days)} days`),
  overdue: (days: number) => `${count(days)} d over`,
  filters: {
    q: 'Identifier or text',
    qHint: 'CVE-2021-44228, or words',
    clearQ: 'Clear the text',
    priority: 'Priority',
    kev: 'Known exploited',
    kevs: { any: 'Exploited or not', yes: 'Known exploited', no: 'Not known exploited' },
    exploit: 'Public exploit',
    exploits: { any: 'With or without exploit', yes: 'Public exploit', no: 'No public exploit' },
  },
  pager: {
    range: (from: number, to: number, total: string) => `${count(from)} to ${count(to)} of ${total}`,
    some: (rows: number, total: string) => `${count(rows)} of ${total}`,
  },
  sync: {
    label: 'How far the sources are up to date',
    failed: (sources: readonly string[]) => `The last synchronisation failed: ${sources.join(', ')}. Run: svc cves sync`,
    reasons: 'Why',
    stale:
      'EPSS scores are older than 48 hours, or there are none: scores may be out of date, and a CVE without EPSS cannot reach P0. Run: svc cves sync --only epss',
    reading: (read: number, total: number | null) => (total === null ? `${count(read)} read` : `${count(read)} of ${count(total)} read`),
    upTo: 'up to',
    of: (on: string) => `data of ${on}`,
    status: { NEVER: 'Not yet', RUNNING: 'Synchronising', SUCCEEDED: 'Up to date', FAILED: 'Failed' },
    fromFile: 'From a file',
    staleWord: 'Out of date',
  },
  empty: {
    nothing: 'No CVE yet',
    nothingNext: 'CVEs come from NVD, CISA (KEV) and FIRST (EPSS). Fetch them now, or take over files that you have with svc cves import:',
    command: 'svc cves sync',
    noMatch: 'No CVE matches these filters',
    noMatchNext: 'Take a filter away to see more.',
    unknown: (id: string) => `${id} is not stored`,
    unknownNext: 'It may be newer than the last import, or withdrawn: a rejected CVE is never stored.',
    clear: 'Clear filters',
  },
} as const
