import { expect, test } from 'vitest'
import { escapeText, incidentReport, type ReportSubject } from './incident-report.ts'
import { TIMELINE_KINDS, type TimelineEntry } from './incidents.model.ts'

const AT = new Date('2026-11-21T08:30:00.000Z')
const INCIDENT: ReportSubject = {
  id: '00000000-0000-7000-8000-000000000001',
  title: 'Beacon in <b>accounting</b>',
  description: 'First line\n| a table |',
  status: 'CLOSED',
  severity: 'HIGH',
  level: 'L2',
  assignee_id: null,
  assignee: null,
  resolution: 'TRUE_POSITIVE_IMPACT',
  summary: 'Two hosts were cleaned.',
  version: 5,
  event_count: 1,
  reopen_count: 1,
  opened_by: 'ana',
  created_at: AT,
  acknowledged_at: AT,
  closed_at: AT,
  updated_at: AT,
  cve_count: 1,
  indicator_count: 1,
  allowed_moves: ['ANALYSIS'],
  take_in_due_at: AT,
  resolution_due_at: AT,
  cves: [{ id: 'CVE-2031-0001', priority: null, score: null, description: null, linked_at: AT }],
  indicators: [{ id: 'i', type: 'URL', value: 'http://evil.example.com/a|b`c', severity: 'HIGH', linked_at: AT }],
  alerts: [],
}
const entryOf = (more: Partial<TimelineEntry>): TimelineEntry => ({
  ...{ seq: 1, version: 1, at: AT, kind: 'COMMENT', actor: 'ana', from: null, to: null, indicator_id: null, resolution: null, note: null },
  ...more,
})

test('a report tells the facts, what it is about, and every row of the timeline', () => {
  const report = incidentReport(INCIDENT, [entryOf({ kind: 'ACTION_DECLARED', note: 'Blocked it.\nAt the proxy.' })], { at: AT, by: 'ana' })
  expect(report).toContain('# Incident: Beacon in &lt;b&gt;accounting&lt;/b&gt;')
  expect(report).toContain('| Resolution | TRUE_POSITIVE_IMPACT |')
  expect(report).toContain('| Opened again | 1 times |')
  expect(report).toContain('> First line\n> \\| a table \\|')
  expect(report).toContain('| CVE-2031-0001 | withdrawn |  |')
  expect(report).toContain('| URL | `` hxxp://evil[.]example[.]com/a\\|b`c `` | HIGH |')
  expect(report).toContain('**1.** 2026-11-21 08:30:00 UTC · ana · declared an action\n\n> Blocked it.\n> At the proxy.')
  expect(report).toContain('this service did nothing by it')
  expect(report).not.toContain('http://')
})

test('a timeline that is longer than a report says so', () => {
  expect(incidentReport({ ...INCIDENT, event_count: 9 }, [entryOf({})], { at: AT, by: 'ana' })).toContain('The first 1 of 9 rows.')
})

test.each(TIMELINE_KINDS)('%s reads as a sentence', (kind) => {
  const entry = entryOf({ kind, from: 'one', to: 'two', resolution: 'DUPLICATE' })
  const line = incidentReport(INCIDENT, [entry], { at: AT, by: 'ana' })
    .split('\n')
    .find((text) => text.startsWith('**1.**'))
  expect(line).not.toMatch(/undefined|null|nobody/)
  expect(line?.split(' · ')[2]).toMatch(/^[a-z]/)
})

// biome-ignore format: one case per line
test.each([
  { title: 'an image',               text: '![x](http://evil.example.com/x.png)', want: '\\!\\[x\\](http\\://evil.example.com/x.png)' },
  { title: 'a tag',                  text: '<img src=x onerror=alert(1)>',         want: '&lt;img src=x onerror=alert(1)&gt;' },
  { title: 'a bare address',         text: 'see www.example.com',                  want: 'see www\\.example.com' },
  { title: 'an e-mail address',      text: 'a@example.com',                        want: 'a\\@example.com' },
  { title: 'a heading',              text: '# big',                                want: '\\# big' },
  { title: 'a list',                 text: '- item',                               want: '\\- item' },
  { title: 'a numbered list',        text: '1. item',                              want: '1\\. item' },
  { title: 'a rule under a heading', text: '=====',                                want: '\\=====' },
  { title: 'a row of a table',       text: 'a | b',                                want: 'a \\| b' },
  { title: 'a line break',           text: 'a\n# b',                               want: 'a \\# b' },
  { title: 'a turned direction',     text: 'a\u202eb',                             want: 'ab' },
  { title: 'an entity',              text: '&lt;',                                 want: '&amp;lt;' },
])('$title stays text', ({ text, want }) => expect(escapeText(text)).toBe(want))
