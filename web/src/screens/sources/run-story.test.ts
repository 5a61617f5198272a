import { describe, expect, it } from 'vitest'
import type { Run } from '../../api/feeds.ts'
import { runStory, storyText } from './run-story.ts'

function run(change: Partial<Run>): Run {
  return {
    id: '0190c0de-0000-7000-8000-000000000001',
    started_at: '2026-11-21T10:41:48.474Z',
    duration_ms: 1240,
    outcome: 'SUCCEEDED',
    fetched_bytes: 812,
    decoded_bytes: 4096,
    decoding: ['gzip', 'utf-8'],
    row_count: 13,
    new_count: 7,
    updated_count: 1,
    gone_count: 0,
    rejected_count: 1,
    unsupported_count: 3,
    unsupported_by_kind: { malware: 1, relationship: 2 },
    rejected_by_code: { pattern_invalid: 1 },
    error: null,
    has_error: false,
    warning: null,
    rejections: [{ line: 12, value: '[oops', code: 'pattern_invalid', reason: 'The pattern ends early.' }],
    ...change,
  }
}

const NOTHING = {
  row_count: 0,
  new_count: 0,
  updated_count: 0,
  rejected_count: 0,
  unsupported_count: 0,
  rejected_by_code: {},
  rejections: [],
}
const told = (change: Partial<Run>, format = 'STIX') => runStory(run(change), format).map(({ id, state }) => `${id} ${state}`)
const words = (change: Partial<Run>, format = 'STIX') =>
  runStory(run(change), format)
    .map((step) => step.words)
    .join(' ')

describe('runStory', () => {
  it.each<[string, Partial<Run>, string[]]>([
    ['a good run to its end', {}, ['fetched ok', 'decoded ok', 'read ok', 'notHeld off', 'refused refused', 'stored ok']],
    [
      'a run in which everything was taken',
      { rejected_count: 0, unsupported_count: 0 },
      ['fetched ok', 'decoded ok', 'read ok', 'refused ok', 'stored ok'],
    ],
    [
      'that a broken list stopped the reading',
      { outcome: 'PARTIAL', unsupported_count: 0 },
      ['fetched ok', 'decoded ok', 'read degraded', 'refused refused', 'stored ok'],
    ],
    ['nothing behind a fetch that failed', { ...NOTHING, outcome: 'FAILED' }, ['fetched degraded']],
    [
      'that rows were read and none was stored',
      { outcome: 'FAILED', unsupported_count: 0 },
      ['fetched ok', 'decoded ok', 'read ok', 'refused refused', 'stored degraded'],
    ],
    ['an unchanged list as a whole', { ...NOTHING, outcome: 'UNCHANGED', row_count: 40, updated_count: 40 }, ['fetched ok']],
    ['an empty list to its end', { ...NOTHING, gone_count: 5 }, ['fetched ok', 'decoded ok', 'read ok', 'refused ok', 'stored ok']],
    ['a postponed run', { ...NOTHING, outcome: 'POSTPONED' }, ['fetched pending']],
    ['a run that goes on', { ...NOTHING, outcome: 'RUNNING' }, ['fetched pending']],
    ['an interruption before the first row', { ...NOTHING, outcome: 'INTERRUPTED' }, ['fetched degraded']],
  ])('tells %s', (_what, change, steps) => {
    expect(told(change)).toEqual(steps)
  })

  it('accounts for every row: 13 = 7 new + 1 known + 1 refused + 3 not held + 1 named twice', () => {
    expect(words({})).toContain('1 row names a value a second time.')
    expect(words({})).toContain('relationship 2, malware 1')
    expect(words({ updated_count: 2 })).not.toContain('second time')
  })

  it('says how what was sent became text, and nothing where that is not known', () => {
    expect(words({ decoded_bytes: 812, decoding: ['windows-1252'] })).toContain('812 bytes (windows-1252), sent as it is.')
    expect(told({ fetched_bytes: null, decoded_bytes: null, decoding: null })).not.toContain('decoded ok')
  })

  it('tells of news, and of what was taken back, where a source delivers only that', () => {
    expect(words({ gone_count: 2 }, 'TAXII')).toContain('2 values were taken back.')
    expect(words({ gone_count: 2 }, 'CSV')).toContain('2 values are no longer listed.')
    expect(words({ ...NOTHING, outcome: 'UNCHANGED' }, 'TAXII')).toContain('nothing new')
  })
})

describe('storyText', () => {
  const source = { name: 'Partner', url: 'https://lists.example.org/bundle.json', format: 'STIX', homepage: 'https://lists.example.org' }

  it('says who, when, what and why, so that the publisher can find the row', () => {
    const text = storyText(source, run({ warning: 'The list lost 9 rows.' }))
    for (const part of [
      'Partner (STIX)\nhttps://lists.example.org/bundle.json\nhttps://lists.example.org\n',
      'Collection of 21 Nov 2026, 10:41:48 UTC: Succeeded, took 1.2 s\nRun 0190c0de',
      '1. Fetched: ',
      '2. Decoded: 812 bytes became 4.0 KiB (gzip, utf-8).',
      '6. Stored: 7 values are new',
      'The list lost 9 rows.',
      '- STIX pattern that is not one (pattern_invalid): 1',
      '  line 12: [oops - The pattern ends early.',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('gives nothing that steers the terminal it is pasted into', () => {
    const rejections = [{ line: 1, value: '\u001b[2J\u0007x\ny', code: 'empty', reason: 'a\rb' }]
    const text = storyText(source, run({ rejections }))
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    expect(text).toContain('line 1: \ufffd[2J\ufffdx\ufffdy - a\ufffdb')
  })
})
