import { expect, test } from 'vitest'
import { gauge, gaugeBy, renderMetrics } from './exposition.ts'

test('a family is its help, its type and a line for each sample', () =>
  expect(
    renderMetrics([
      gauge('svc_up', 'Whether it is up.', 1),
      gaugeBy('svc_feeds', 'Feeds.', { label: 'status', values: { HEALTHY: 3, DEGRADED: 0 } }),
      { name: 'svc_wait_seconds', help: 'Waits.', type: 'histogram', samples: [{ part: '_sum', value: 0.25 }] },
    ]),
  ).toBe(
    [
      '# HELP svc_up Whether it is up.\n# TYPE svc_up gauge\nsvc_up 1\n',
      '# HELP svc_feeds Feeds.\n# TYPE svc_feeds gauge\nsvc_feeds{status="HEALTHY"} 3\nsvc_feeds{status="DEGRADED"} 0\n',
      '# HELP svc_wait_seconds Waits.\n# TYPE svc_wait_seconds histogram\nsvc_wait_seconds_sum 0.25\n',
    ].join(''),
  ))

test('a family without samples is left out', () =>
  expect(renderMetrics([{ name: 'svc_none', help: 'None.', type: 'gauge', samples: [] }])).toBe(''))

test.each([
  { title: 'a quote', value: 'a"b', want: 'a\\"b' },
  { title: 'a backslash', value: 'a\\b', want: 'a\\\\b' },
  { title: 'a line feed', value: 'a\nb', want: 'a\\nb' },
  { title: 'a carriage return', value: 'a\rb', want: 'a b' },
  { title: 'a line that looks like a sample', value: '"} 1\nsvc_up 0', want: '\\"} 1\\nsvc_up 0' },
  { title: 'a backslash before a quote', value: '\\"', want: '\\\\\\"' },
  { title: 'letters of every script', value: 'Übel 悪い 🦠', want: 'Übel 悪い 🦠' },
])('$title in a label value stays inside it', ({ value, want }) =>
  expect(renderMetrics([gaugeBy('svc_x', 'X.', { label: 'feed', values: { [value]: 1 } })])).toContain(`\nsvc_x{feed="${want}"} 1\n`),
)

test.each([
  { value: Number.POSITIVE_INFINITY, want: '+Inf' },
  { value: Number.NEGATIVE_INFINITY, want: '-Inf' },
  { value: Number.NaN, want: 'NaN' },
  { value: 1e21, want: '1e+21' },
])('$want is written as Prometheus reads it', ({ value, want }) =>
  expect(renderMetrics([gauge('svc_x', 'X.', value)])).toContain(`\nsvc_x ${want}\n`),
)
