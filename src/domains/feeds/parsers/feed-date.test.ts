import { expect, test } from 'vitest'
import { tryParseFeedDate } from './feed-date.ts'

// biome-ignore format: one case per line
test.each([
  { title: 'a date is midnight UTC',              text: '2026-01-31',                        want: '2026-01-31T00:00:00.000Z' },
  { title: 'slashes do as well',                  text: '2026/01/31',                        want: '2026-01-31T00:00:00.000Z' },
  { title: 'a date and time without zone is UTC', text: '2026-01-31 12:34:56',               want: '2026-01-31T12:34:56.000Z' },
  { title: 'seconds may be absent',               text: '2026-01-31T12:34',                  want: '2026-01-31T12:34:00.000Z' },
  { title: 'RFC 3339 with a fraction',            text: '2026-01-31T12:34:56.789123Z',       want: '2026-01-31T12:34:56.789Z' },
  { title: 'a zone is taken into account',        text: '2026-01-31T12:00:00+02:00',         want: '2026-01-31T10:00:00.000Z' },
  { title: 'a zone without a colon',              text: '2026-01-31T12:00:00-0530',          want: '2026-01-31T17:30:00.000Z' },
  { title: 'the word UTC',                        text: '2026-01-31 12:00:00 UTC',           want: '2026-01-31T12:00:00.000Z' },
  { title: 'epoch seconds',                       text: '1769862896',                        want: '2026-01-31T12:34:56.000Z' },
  { title: 'epoch milliseconds',                  text: '1769862896789',                     want: '2026-01-31T12:34:56.789Z' },
  { title: 'a day that does not exist',           text: '2026-02-30',                        want: undefined },
  { title: 'the zero date',                       text: '0000-00-00 00:00:00',               want: undefined },
  { title: 'an hour that does not exist',         text: '2026-01-31 25:00:00',               want: undefined },
  { title: 'a day before threat feeds existed',   text: '1970-01-01',                        want: undefined },
  { title: 'an order that could be either',       text: '01/02/2026',                        want: undefined },
  { title: 'nothing',                             text: '',                                  want: undefined },
  { title: 'a word',                              text: 'None',                              want: undefined },
  { title: 'a very long text',                    text: '2026-01-31'.repeat(7000),           want: undefined },
])('$title', ({ text, want }) => expect(tryParseFeedDate(text)?.toISOString()).toBe(want))
