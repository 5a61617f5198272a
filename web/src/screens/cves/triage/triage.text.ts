import type { Alert } from '../../../api/alerts.ts'
import { count } from '../figures.ts'

/** Every text of the Triage screen. */
export const triageText = {
  title: 'Triage',
  total: (total: number, exact: boolean) => `${exact ? '' : '≈ '}${count(total)} ${total === 1 ? 'alert' : 'alerts'}`,
  cut: (shown: number, total: number, byUrgency: boolean) =>
    `The ${byUrgency ? 'most urgent' : 'newest'} ${count(shown)} of ${count(total)} alerts are shown.`,
  columns: { priority: 'P', cve: 'CVE', title: 'Title', score: 'Score', raised: 'Raised', acknowledged: 'Acknowledged' },
  filters: {
    state: 'State',
    states: { open: 'Open', acknowledged: 'Acknowledged', all: 'Open and acknowledged' },
    priority: 'Priority',
    kev: 'Known exploited',
    kevs: { unset: 'Exploited or not', yes: 'Known exploited', no: 'Not known exploited' },
    age: 'Waiting',
    ages: {
      unset: 'However old',
      day: 'A day or longer',
      '3days': '3 days or longer',
      week: 'A week or longer',
      month: '30 days or longer',
    },
  },
  acknowledge: 'Acknowledge',
  openIncident: 'Open incident',
  incidentTitle: (alerts: number, first: string) => `${first} and ${count(alerts - 1)} more`,
  acknowledgeMany: (alerts: number) => `Acknowledge ${count(alerts)}`,
  selected: (alerts: number) => `${count(alerts)} selected`,
  partly: (done: number, all: number) => `${count(done)} of ${count(all)} are already acknowledged: ${count(all - done)} will change`,
  allDone: 'All of them are already acknowledged',
  clear: 'Clear selection',
  already: ({ acknowledged_by }: Alert) => `Already acknowledged${acknowledged_by === null ? '' : ` by ${acknowledged_by}`}`,
  held: (cves: readonly string[]) => (cves.length === 1 ? `${cves[0] ?? ''} acknowledged` : `${count(cves.length)} alerts acknowledged`),
  undo: 'Undo',
  news: (alerts: number) => (alerts === 1 ? 'A new alert has come' : `${count(alerts)} new alerts have come`),
  pane: 'The alert',
  openPage: 'Full page',
  reading: 'Reading the CVE',
  facts: {
    title: 'Alert',
    raised: 'Raised',
    score: 'Score when raised',
    acknowledged: 'Acknowledged',
    by: 'By',
    webhook: 'Webhook',
  },
  notification: {
    NONE: 'No webhook when it was raised',
    PENDING: 'Is being told',
    DELIVERED: 'Told',
    FAILED: 'Could not be told; svc cves alerts deliveries shows why',
  } satisfies Record<Alert['notification'], string>,
  empty: {
    clear: 'No open alert',
    clearNext:
      'An alert is raised when the score of a CVE rises over the threshold. What was above it at the first import is a base line and raises none.',
    toCves: 'CVEs of P0 and P1',
    noMatch: 'No alert matches these filters',
    clearFilters: 'Clear filters',
  },
} as const
