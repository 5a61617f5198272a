import type { Resolution, TimelineEntry } from '../../api/incidents.ts'
import { incidentText } from '../../shell/incident/incident.text.ts'
import type { ViewId } from './incidents.search.ts'

const numbers = new Intl.NumberFormat('en')
export const count = (value: number): string => numbers.format(value)

/** Every text of the Incidents screens. */
export const incidentsText = {
  title: 'Incidents',
  total: (total: number, exact: boolean) => `${exact ? '' : '≈ '}${count(total)} ${total === 1 ? 'incident' : 'incidents'}`,
  views: 'Views',
  view: {
    open: 'Open',
    mine: 'Mine',
    unassigned: 'Unassigned',
    late: 'Late',
    escalated: 'L2 and L3',
    closed: 'Closed',
  } satisfies Record<ViewId, string>,
  layouts: { label: 'Shown as', list: 'List', board: 'Board' },
  board: {
    label: 'Incidents by step',
    column: (step: string, total: number | undefined, exact: boolean) =>
      total === undefined ? step : `${step} (${exact ? '' : '≈ '}${count(total)})`,
    none: 'None',
    all: 'All of them, as a list',
  },
  columns: {
    severity: 'Severity',
    title: 'Title',
    step: 'Step',
    level: 'Level',
    assignee: 'Assigned to',
    clock: 'Due',
    about: 'CVEs · IOCs',
    updated: 'Updated',
  },
  stepOf: (step: string, number: number) => `${number} of 6 ${step}`,
  filters: { step: 'Step', severity: 'Severity', level: 'Level' },
  about: { cve: (id: string) => `About ${id}`, ioc: 'About one IOC' },
  bulk: {
    selected: (rows: number) => `${count(rows)} selected`,
    toMe: 'Assign to me',
    free: 'Assign to nobody',
    clear: 'Clear selection',
    done: (assigned: number, unchanged: number) =>
      `${count(assigned)} assigned${unchanged === 0 ? '' : `, ${count(unchanged)} stayed as they are`}`,
    allClosed: 'All of them are closed',
  },
  empty: {
    none: 'No open incident',
    noneNext: 'One is opened from an alert in Triage, from an IOC, from a CVE, or here.',
    noMatch: 'No incident matches these filters',
    clear: 'Clear filters',
  },
  page: 'Incident',
  back: 'Incidents',
  loading: 'Reading the incident',
  cannotRead: 'The incident cannot be read',
  moved: {
    title: 'Step',
    to: (step: string) => `Move to ${step}`,
    backTo: (step: string) => `Back to ${step}`,
    close: 'Close incident',
    reopen: 'Open again',
  },
  moveDialog: {
    back: (step: string) => `Go back to ${step}`,
    close: 'Close the incident',
    reopen: 'Open the incident again',
    comment: 'Why it goes back',
    reason: 'Why it is opened again',
    summary: 'Summary',
    summaryHint: 'What happened, and what was done. It stays in the timeline.',
    resolution: 'Resolution',
    chooseResolution: 'Choose what it was',
    needsSummary: 'Write a summary first',
    needsResolution: 'Choose a resolution first',
    needsComment: 'Write a reason first',
    reopenMin: 'Write at least 10 characters',
  },
  resolution: {
    TRUE_POSITIVE_IMPACT: 'True positive, with impact',
    TRUE_POSITIVE_NO_IMPACT: 'True positive, without impact',
    FALSE_POSITIVE: 'False positive',
    DUPLICATE: 'Duplicate',
    NOT_APPLICABLE: 'Not applicable',
  } satisfies Record<Resolution, string>,
  escalate: {
    button: 'Escalate',
    title: (level: string) => `Escalate to ${level}`,
    warning: 'There is no way back to a lower level. Whoever has the incident gives it up, unless somebody is named.',
    reason: 'Reason',
    reasonHint: '10 to 2000 characters. It stays in the timeline.',
    assignee: 'Assign to',
    last: 'L3 is the last level; there is no move back',
    needsReason: 'Write a reason of at least 10 characters first',
    submit: 'Escalate',
  },
  assign: { label: 'Assigned to', nobody: 'Nobody' },
  edit: {
    button: 'Edit',
    title: 'Edit the incident',
    name: 'Title',
    severity: 'Severity',
    submit: 'Save',
    unchanged: 'Nothing is changed yet',
    needsTitle: 'Write a title first',
  },
  closedReason: 'Incident is closed',
  conflict: {
    title: 'Somebody was quicker',
    what: 'Since you began, this happened:',
    kept: 'What you wrote is kept. Look at it once more, then save it on top, or leave it.',
    again: 'Save on top of it',
  },
  timeline: {
    title: (entries: number) => `Timeline (${count(entries)})`,
    filter: 'Show',
    filters: { all: 'Everything', words: 'Comments and actions', system: 'Changes' },
    appendOnly: 'Nothing of it can be changed or removed.',
    updatedBy: (name: string) => `${name} changed the incident`,
    cut: (shown: number) => `The first ${count(shown)} rows; the report has more.`,
    nothing: 'Nothing of this kind yet.',
  },
  composer: {
    label: 'Write into the timeline',
    kind: 'What it is',
    comment: 'Comment',
    action: 'Action done',
    actionHint: 'Declared by you, not run by the service.',
    placeholder: { comment: 'What you found, decided or ask', action: 'What you did elsewhere, such as: blocked the address at the proxy' },
    send: 'Send',
    empty: 'Write something first',
  },
  facts: {
    title: 'Facts',
    opened: 'Opened',
    by: 'Opened by',
    takenIn: 'Taken in',
    notTakenIn: 'not yet',
    closed: 'Closed',
    resolution: 'Resolution',
    summary: 'Summary',
    reopened: 'Opened again',
    times: (times: number) => (times === 1 ? 'once' : `${times} times`),
    due: 'Due',
    id: 'Id',
  },
  description: 'What is known',
  cves: { title: (cves: number) => `CVEs (${count(cves)})`, withdrawn: 'withdrawn', remove: (id: string) => `Take ${id} off` },
  iocs: { title: (iocs: number) => `IOCs (${count(iocs)})`, remove: (value: string) => `Take ${value} off` },
  links: {
    none: 'None.',
    label: 'Add CVEs and IOCs',
    hint: 'One or many, defanged or not',
    add: 'Add',
    empty: 'Paste something first',
    added: (things: number) => (things === 1 ? 'One added' : `${count(things)} added`),
    unknown: (values: readonly string[]) => `Not stored: ${values.join(', ')}. Submit IOCs first; CVEs come with the synchronisation.`,
  },
  alerts: { title: (alerts: number) => `Alerts (${count(alerts)})` },
  related: { title: (incidents: number) => `Related incidents (${count(incidents)})` },
  report: {
    button: 'Report',
    title: 'Report',
    print: 'Print',
    download: 'Download as Markdown',
    defanged: 'Written so that none of them can be followed by accident: hxxp is http, [.] is a dot.',
    version: (version: number) => `Version ${version}, as read on`,
    note: 'The whole record, for those who have no account. A download is journalled.',
  },
} as const

/** One row of the timeline as a sentence without its subject. */
export function describeEntry({ kind, from, to, resolution }: TimelineEntry): string {
  const { nobody } = incidentText
  switch (kind) {
    case 'CREATED':
      return 'opened the incident'
    case 'TITLE_CHANGED':
      return `changed the title from “${from}” to “${to}”`
    case 'SEVERITY_CHANGED':
      return `changed the severity from ${lower(from)} to ${lower(to)}`
    case 'STATUS_CHANGED':
      return `moved it from ${stepWord(from)} to ${stepWord(to)}`
    case 'CLOSED':
      return `closed it from ${stepWord(from)}${resolution === null ? '' : `: ${incidentsText.resolution[resolution].toLowerCase()}`}`
    case 'REOPENED':
      return `opened it again, in ${stepWord(to)}`
    case 'ASSIGNED':
      return `assigned it to ${to ?? nobody}${from === null ? '' : `, before: ${from}`}`
    case 'ESCALATED':
      return `escalated it from ${from} to ${to}`
    case 'COMMENT':
      return 'commented'
    case 'ACTION_DECLARED':
      return 'declared an action (not run by the service)'
    case 'IOC_LINKED':
      return `added the IOC ${to}`
    case 'IOC_UNLINKED':
      return `took the IOC ${from} off`
    case 'CVE_LINKED':
      return `added ${to}`
    case 'CVE_UNLINKED':
      return `took ${from} off`
  }
}

function lower(word: string | null): string {
  return (word ?? '').toLowerCase()
}

function stepWord(step: string | null): string {
  return (
    Object.entries(incidentText.step)
      .find(([name]) => name === step)?.[1]
      .toLowerCase() ?? lower(step)
  )
}
