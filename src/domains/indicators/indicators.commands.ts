import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { gather, wholeNumber } from '#platform/cli/arguments.ts'
import { type Column, EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import { readValues } from '#platform/cli/read-input.ts'
import { type ExclusionNote, LOOKUP_MAX_VALUES, SUBMISSION_MAX_ITEMS } from './indicators.model.ts'
import type { Indicator, IndicatorDetail, IndicatorQuery, IndicatorsService, LookupItem, SubmissionResult } from './indicators.service.ts'

export type IndicatorCommandDeps = {
  indicators: () => Promise<IndicatorsService>
  /** The id of a feed, by name or id: feeds stand above indicators. */
  feedIdOf: (nameOrId: string) => Promise<string>
  out: Output
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MAX_CONFIDENCE = 100
/** Refused values that are shown. */
const EXAMPLES = 10

const IOC_COLUMNS: Column<Indicator>[] = [
  { title: 'type', of: ({ type }) => type },
  { title: 'value', of: ({ value }) => value },
  { title: 'severity', of: ({ severity }) => severity },
  { title: 'confidence', of: ({ confidence }) => confidence },
  { title: 'active', of: ({ active }) => active },
  { title: 'sources', of: (ioc) => ioc.source_count },
  { title: 'hits', of: (ioc) => ioc.hit_count },
  { title: 'first_seen', of: (ioc) => ioc.first_seen },
  { title: 'last_seen', of: (ioc) => ioc.last_seen },
  { title: 'tags', of: ({ tags }) => tags.join(',') },
  { title: 'id', of: ({ id }) => id },
]
const LOOKUP_COLUMNS: Column<LookupItem>[] = [
  { title: 'input', of: ({ input }) => input },
  { title: 'status', of: ({ status }) => status },
  { title: 'relation', of: ({ relation }) => relation },
  { title: 'found', of: ({ indicator }) => indicator?.value },
  { title: 'type', of: ({ type }) => type },
  { title: 'severity', of: ({ indicator }) => indicator?.severity },
  { title: 'confidence', of: ({ indicator }) => indicator?.confidence },
  { title: 'active', of: ({ indicator }) => indicator?.active },
  { title: 'last_seen', of: ({ indicator }) => indicator?.last_seen },
  { title: 'excluded_because', of: ({ exclusion }) => (exclusion === null ? null : exclusionSentence(exclusion)) },
  { title: 'warning_lists', of: ({ warnings }) => warnings.map(({ list_name }) => list_name).join('; ') },
  { title: 'reason', of: ({ reason }) => reason },
]

/** Adds `svc iocs …` and `svc lookup`. */
export function addIndicatorCommands(program: Command, deps: IndicatorCommandDeps): void {
  const iocs = program
    .command('iocs')
    .description('indicators of compromise')
    .addHelpText('after', '\nExamples:\n  svc iocs list --min-severity high\n  svc iocs show evil.example.org')
  addList(iocs, deps)
  addShow(iocs, deps)
  addSubmit(iocs, deps)
  addLookup(program, deps)
}

type ListFlags = {
  type?: string
  severity?: string
  minSeverity?: string
  minConfidence?: number
  feed?: string
  active?: boolean
  inactive?: boolean
  excluded?: boolean
  value?: string
  cursor?: string
  json?: boolean
}

function addList(iocs: Command, { indicators, feedIdOf, out }: IndicatorCommandDeps): void {
  iocs
    .command('list')
    .description('50 IOCs, newest first')
    .option('--type <words>', 'IPV4, IPV6, NETWORK, DOMAIN, URL, HASH, EMAIL; several with commas')
    .option('--severity <words>', 'INFO, LOW, MEDIUM, HIGH, CRITICAL; several with commas')
    .option('--min-severity <word>', 'this severity and above')
    .option('--min-confidence <points>', '0 to 100', wholeNumber(0, MAX_CONFIDENCE))
    .option('--feed <name>', 'reported by this feed (name or id)')
    .option('--active', 'only those that are neither expired nor excluded')
    .option('--inactive', 'only the others')
    .option('--excluded', 'only those that are excluded')
    .option('--value <text>', 'exactly this value, defanged or not')
    .option('--cursor <text>', 'the page after this one, as the page before has named it')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', "\nExamples:\n  svc iocs list --type DOMAIN,URL --active\n  svc iocs list --value 'evil[.]example[.]org' --json")
    .action(async ({ minSeverity, minConfidence, feed, active, inactive, json, ...plain }: ListFlags) => {
      const query: IndicatorQuery = { ...plain }
      if (minSeverity !== undefined) query.min_severity = minSeverity
      if (minConfidence !== undefined) query.min_confidence = minConfidence
      if (active === true || inactive === true) query.active = active === true
      const service = await indicators()
      if (feed !== undefined) query.feed_id = await feedIdOf(feed)
      const page = await service.page(query)
      if (json === true) return out.json(page)
      out.table(page.items, IOC_COLUMNS)
      if (page.total === 0) out.note('No IOC fits. An empty base is filled by: svc seed && svc feeds fetch-all')
      else out.note(`${page.items.length} of ${page.total_exact ? '' : 'about '}${page.total}`)
      if (page.next !== null) out.note(`next page: --cursor ${page.next}`)
    })
}

function addShow(iocs: Command, { indicators, out }: IndicatorCommandDeps): void {
  iocs
    .command('show <value-or-id>')
    .description('one IOC with its sources and the parts of its confidence')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', "\nExamples:\n  svc iocs show 198.51.100.7\n  svc iocs show 'hxxp://evil[.]example[.]org/a' --json")
    .action(async (wanted: string, { json }: { json?: boolean }) => {
      const service = await indicators()
      const id = UUID.test(wanted) ? wanted : (await service.page({ value: wanted })).items[0]?.id
      if (id === undefined) {
        out.error(`No IOC has the value ${wanted}.`, `svc lookup finds related ones: svc lookup '${wanted}'`)
        out.exitCode = EXIT_FAILED
        return
      }
      const detail = await service.get(id)
      if (json === true) return out.json(detail)
      for (const [name, value] of summarise(detail)) out.line(toPrintable(`${name.padEnd(12)}${value}`))
      out.line('')
      out.table(detail.sources, [
        { title: 'source', of: ({ name }) => name },
        { title: 'reliability', of: ({ reliability }) => reliability },
        { title: 'first_seen', of: (source) => source.first_seen },
        { title: 'last_seen', of: (source) => source.last_seen },
        { title: 'hits', of: ({ hits }) => hits },
        { title: 'listed', of: ({ listed }) => listed },
      ])
    })
}

/** Who keeps it out, since when and why. */
function exclusionSentence({ kind, value, reason, created_by, created_at, ends_at }: ExclusionNote): string {
  const until = ends_at === null ? '' : ` until ${ends_at.toISOString()}`
  return `by ${created_by} since ${created_at.toISOString()}${until} (${kind} ${value}): ${reason}`
}

function summarise(ioc: IndicatorDetail): [string, string][] {
  const { sources, freshness, recurrence, total } = ioc.confidence_breakdown
  return [
    ['value', ioc.value],
    ['type', ioc.hash_algorithm === null ? ioc.type : `${ioc.type} (${ioc.hash_algorithm})`],
    ['severity', ioc.severity],
    [
      'confidence',
      `${total} ${ioc.confidence_level} (sources ${sources.points.toFixed(1)} of ${sources.max}, freshness ${freshness.points.toFixed(1)} of ${freshness.max}, recurrence ${recurrence.points.toFixed(1)} of ${recurrence.max})`,
    ],
    ['active', String(ioc.active)],
    ['first seen', ioc.first_seen.toISOString()],
    ['last seen', ioc.last_seen.toISOString()],
    ['expires', ioc.expires_at.toISOString()],
    ['hits', String(ioc.hit_count)],
    ['tags', ioc.tags.join(', ')],
    ['id', ioc.id],
    ...(ioc.exclusion === null ? [] : [['excluded', exclusionSentence(ioc.exclusion)] satisfies [string, string]]),
    ...ioc.notes.map((note): [string, string] => ['note', note]),
  ]
}

type SubmitFlags = { type?: string; severity?: string; tag?: string[]; description?: string; json?: boolean }

function addSubmit(iocs: Command, { indicators, out }: IndicatorCommandDeps): void {
  iocs
    .command('submit <values...>')
    .description("stores values as the analysts' own: on the command line, from a file, or with - from standard input, one a line")
    .option('--type <word>', 'what they are; recognised when not said')
    .option('--severity <word>', 'MEDIUM when not said')
    .option('--tag <word>', 'may be given several times', gather)
    .option('--description <text>', 'goes with each')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  svc iocs submit 198.51.100.7 'evil[.]example[.]org' --severity high --tag case-12\n  svc iocs submit ./values.txt",
    )
    .action(async (given: string[], { json, tag, ...fields }: SubmitFlags) => {
      const values = await readValues(given)
      const service = await indicators()
      const total: SubmissionResult = { created: 0, updated: 0, duplicates: 0, rejected: 0, rejections: [] }
      for (let from = 0; from < values.length; from += SUBMISSION_MAX_ITEMS) {
        const batch = values.slice(from, from + SUBMISSION_MAX_ITEMS)
        addTo(
          total,
          await service.submit(
            COMMAND_LINE_ACTOR,
            batch.map((value) => ({ value, ...fields, ...(tag === undefined ? {} : { tags: tag }) })),
          ),
          from,
        )
      }
      if (total.rejected > 0 && total.created + total.updated === 0) out.exitCode = EXIT_FAILED
      if (json === true) return out.json(total)
      out.line(`new ${total.created}, seen again ${total.updated}, duplicates ${total.duplicates}, rejected ${total.rejected}`)
      for (const { value, reason } of total.rejections.slice(0, EXAMPLES)) out.note(toPrintable(`  ${value}: ${reason}`))
    })
}

function addTo(total: SubmissionResult, part: SubmissionResult, from: number): void {
  total.created += part.created
  total.updated += part.updated
  total.duplicates += part.duplicates
  total.rejected += part.rejected
  total.rejections.push(...part.rejections.map((rejection) => ({ ...rejection, index: rejection.index + from })))
}

function addLookup(program: Command, { indicators, out }: IndicatorCommandDeps): void {
  program
    .command('lookup <values...>')
    .description('what is known of values: on the command line, from a file, or with - from standard input, one a line')
    .option('--json', 'as JSON, in the shape of the API')
    .option('--known', 'prints only what is known')
    .addHelpText(
      'after',
      "\nExamples:\n  svc lookup 198.51.100.7 'hxxps://evil[.]example[.]org/login'\n  cut -d, -f3 proxy.csv | svc lookup - --known",
    )
    .action(async (given: string[], { json, known }: { json?: boolean; known?: boolean }) => {
      const values = await readValues(given)
      const service = await indicators()
      const items: LookupItem[] = []
      for (let from = 0; from < values.length; from += LOOKUP_MAX_VALUES)
        items.push(...(await service.lookup(values.slice(from, from + LOOKUP_MAX_VALUES))))
      const shown = known === true ? items.filter(({ status }) => status === 'known') : items
      if (json === true) return out.json({ items: shown })
      out.table(shown, LOOKUP_COLUMNS)
      const count = (status: LookupItem['status']) => items.filter((item) => item.status === status).length
      out.note(`known ${count('known')}, excluded ${count('excluded')}, unknown ${count('unknown')}, rejected ${count('rejected')}`)
    })
}
