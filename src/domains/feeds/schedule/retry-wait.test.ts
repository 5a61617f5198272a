import { expect, test } from 'vitest'
import { retryWaitMs } from './retry-wait.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEK = 7 * 24 * HOUR

// biome-ignore format: one case per line
test.each([
  { title: 'a healthy feed waits its own interval',            failures: 0,    interval: HOUR,       want: HOUR },
  { title: 'the first failure waits one minute',               failures: 1,    interval: HOUR,       want: MINUTE },
  { title: 'the second waits two',                             failures: 2,    interval: HOUR,       want: 2 * MINUTE },
  { title: 'the third waits four',                             failures: 3,    interval: HOUR,       want: 4 * MINUTE },
  { title: 'the fourth waits eight',                           failures: 4,    interval: HOUR,       want: 8 * MINUTE },
  { title: 'the fifth waits sixteen',                          failures: 5,    interval: HOUR,       want: 16 * MINUTE },
  { title: 'the sixth waits thirty-two',                       failures: 6,    interval: HOUR,       want: 32 * MINUTE },
  { title: 'the seventh would be 64 minutes: the hour caps it', failures: 7,   interval: HOUR,       want: HOUR },
  { title: 'the eighth stays at the interval',                 failures: 8,    interval: HOUR,       want: HOUR },
  { title: 'the ninth on a weekly feed still doubles',         failures: 9,    interval: WEEK,       want: 256 * MINUTE },
  { title: 'the tenth on a weekly feed still doubles',         failures: 10,   interval: WEEK,       want: 512 * MINUTE },
  { title: 'the eleventh on a weekly feed still doubles',      failures: 11,   interval: WEEK,       want: 1024 * MINUTE },
  { title: 'the twelfth on a weekly feed still doubles',       failures: 12,   interval: WEEK,       want: 2048 * MINUTE },
  { title: 'the twelfth on an hourly feed waits an hour',      failures: 12,   interval: HOUR,       want: HOUR },
  { title: 'a five-minute feed is capped from the fourth on',  failures: 4,    interval: 5 * MINUTE, want: 5 * MINUTE },
  { title: 'thousands of failures do not overflow',            failures: 5000, interval: WEEK,       want: WEEK },
])('$title', ({ failures, interval, want }) => expect(retryWaitMs(failures, interval)).toBe(want))
