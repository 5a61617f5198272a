import { stripInvisible } from '#kernel/text.ts'
import type { LinkedAlert, LinkedCve, LinkedIndicator } from './incident-links.store.ts'
import type { Incident } from './incident-view.ts'
import type { TimelineEntry } from './incidents.model.ts'

/** An incident with everything that it is about. */
export type ReportSubject = Incident & { cves: LinkedCve[]; indicators: LinkedIndicator[]; alerts: LinkedAlert[] }

/** One incident as a Markdown document (CommonMark with tables) that a person reads without an account: facts, subjects, the whole timeline. */
export function incidentReport(incident: ReportSubject, entries: readonly TimelineEntry[], made: { at: Date; by: string }): string {
  return `${[
    `# Incident: ${escapeText(incident.title)}`,
    facts(incident),
    ...(incident.description === '' ? [] : ['## Description', quoted(incident.description)]),
    ...(incident.summary === null ? [] : ['## Summary', quoted(incident.summary)]),
    '## CVEs',
    tableOf(
      ['CVE', 'Priority', 'Score'],
      incident.cves.map(({ id, priority, score }) => [id, priority ?? 'withdrawn', score === null ? '' : String(score)]),
    ),
    '## IOCs',
    'Written so that none of them can be followed by accident: `hxxp` is http, `[.]` is a dot.',
    tableOf(
      ['Type', 'Value', 'Severity'],
      incident.indicators.map(({ type, value, severity }) => [type, asCode(defang(value)), severity]),
    ),
    `## Timeline`,
    timelineNote(incident, entries),
    ...entries.map((entry) => describeEntry(entry)),
    '---',
    `Written on ${moment(made.at)} by ${escapeText(made.by)}. Incident ${incident.id}, version ${incident.version}. All times are UTC.`,
  ].join('\n\n')}\n`
}

function facts(incident: ReportSubject): string {
  const rows: [string, string | null][] = [
    ['Step', incident.status],
    ['Severity', incident.severity],
    ['Level', incident.level],
    ['Assigned to', incident.assignee === null ? 'nobody' : escapeText(incident.assignee)],
    ['Opened', `${moment(incident.created_at)} by ${escapeText(incident.opened_by)}`],
    ['Taken in', incident.acknowledged_at === null ? 'not yet' : moment(incident.acknowledged_at)],
    ['Closed', incident.closed_at === null ? 'no' : moment(incident.closed_at)],
    ['Resolution', incident.resolution],
    ['Opened again', incident.reopen_count === 0 ? null : `${incident.reopen_count} times`],
    ['From alerts', incident.alerts.length === 0 ? null : incident.alerts.map(({ cve_id }) => cve_id).join(', ')],
  ]
  return tableOf(
    ['Fact', ''],
    rows.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

function timelineNote({ event_count }: ReportSubject, entries: readonly TimelineEntry[]): string {
  const whole =
    'Nothing of it can be changed or removed. A declared action is what somebody says to have done; this service did nothing by it.'
  return entries.length === event_count ? whole : `${whole} The first ${entries.length} of ${event_count} rows.`
}

function describeEntry(entry: TimelineEntry): string {
  const heading = `**${entry.seq}.** ${moment(entry.at)} · ${escapeText(entry.actor)} · ${describeKind(entry)}`
  return entry.note === null ? heading : `${heading}\n\n${quoted(entry.note)}`
}

function describeKind({ kind, from, to, resolution }: TimelineEntry): string {
  const [before, after] = [escapeText(from ?? 'nobody'), escapeText(to ?? 'nobody')]
  switch (kind) {
    case 'CREATED':
      return 'opened the incident'
    case 'TITLE_CHANGED':
      return `changed the title from "${before}" to "${after}"`
    case 'SEVERITY_CHANGED':
      return `changed the severity from ${before} to ${after}`
    case 'STATUS_CHANGED':
      return `moved it from ${before} to ${after}`
    case 'CLOSED':
      return `closed it as ${resolution ?? ''}, from ${before}`
    case 'REOPENED':
      return `opened it again, in ${after}`
    case 'ASSIGNED':
      return `assigned it to ${after}, before: ${before}`
    case 'ESCALATED':
      return `escalated it from ${before} to ${after}`
    case 'COMMENT':
      return 'commented'
    case 'ACTION_DECLARED':
      return 'declared an action'
    case 'IOC_LINKED':
      return `linked the IOC ${asCode(defang(to ?? ''))}`
    case 'IOC_UNLINKED':
      return `removed the IOC ${asCode(defang(from ?? ''))}`
    case 'CVE_LINKED':
      return `linked ${after}`
    case 'CVE_UNLINKED':
      return `removed ${before}`
  }
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'None.'
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

function moment(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Text of a stranger in one line: nothing in it means something to Markdown or HTML, becomes a link, or turns the writing direction round. */
export function escapeText(text: string): string {
  return stripInvisible(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]|~#!$@]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('://', '\\://')
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replace(/^(\d{0,20})([-+=.)])/, '$1\\$2')
}

/** The same in several lines, as a quotation. */
function quoted(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${escapeText(line)}`.trimEnd())
    .join('\n')
}

/** A value as code: nothing in it is markup, and a row of a table does not end in it. */
function asCode(value: string): string {
  const longest = Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = longest > 0 ? ' ' : ''
  return `${fence}${pad}${value.replace(/\s+/g, ' ').replaceAll('|', '\\|')}${pad}${fence}`
}

/** A value that no program makes a link of: mail programs do so even of code. */
function defang(value: string): string {
  return value.replace(/^http/, 'hxxp').replace(/^ftp/, 'fxp').replaceAll('.', '[.]').replaceAll('@', '[@]')
}
