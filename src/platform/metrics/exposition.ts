export type Labels = Readonly<Record<string, string>>
/** One line of a family. `part` is what a histogram adds to the name: `_bucket`, `_sum` or `_count`. */
export type Sample = { part?: string; labels?: Labels; value: number }
/** Everything of one name. Names end in the unit, and counters in `_total`. */
export type MetricFamily = { name: `svc_${string}`; help: string; type: 'counter' | 'gauge' | 'histogram'; samples: readonly Sample[] }

/** Source: Prometheus text exposition format 0.0.4. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The families as Prometheus reads them; one without samples is left out. */
export function renderMetrics(families: readonly MetricFamily[]): string {
  let text = ''
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue
    text += `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`
    for (const { part = '', labels = {}, value } of samples) text += `${name}${part}${renderLabels(labels)} ${renderValue(value)}\n`
  }
  return text
}

/** A family of one value without labels. */
export function gauge(name: `svc_${string}`, help: string, value: number): MetricFamily {
  return { name, help, type: 'gauge', samples: [{ value }] }
}

/** A family with one line for each key of `values`, which becomes the label. */
export function gaugeBy(
  name: `svc_${string}`,
  help: string,
  by: { label: string; values: Readonly<Record<string, number>> },
): MetricFamily {
  return {
    name,
    help,
    type: 'gauge',
    samples: Object.entries(by.values).map(([key, value]) => ({ labels: { [by.label]: key }, value })),
  }
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** Label values are hostile: names of feeds are anybody's text. A carriage return is no line end here, yet some readers take it for one. */
function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', ' ')
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function renderValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
