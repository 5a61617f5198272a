import { type Command, Option } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { jsonObject, wholeNumber } from '#platform/cli/arguments.ts'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import { confirm } from '#platform/cli/confirm.ts'
import { type Column, EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import type { FeedInput } from './feed-input.ts'
import { FREQUENCY_MAX_SECONDS, FREQUENCY_MIN_SECONDS, RUN_LIST_MAX } from './feeds.model.ts'
import type { Feed, FeedHealth, FeedsService, Run } from './feeds.service.ts'
import type { ProbeService } from './probe.service.ts'
import { describeRun } from './run-report.ts'

export type FeedCommandDeps = {
  services: () => Promise<{ feeds: FeedsService; probe: ProbeService }>
  out: Output
  signal: () => AbortSignal
}
type JsonFlag = { json?: boolean }
type FeedFlags = {
  name?: string
  url?: string
  format?: string
  type?: string
  reliability?: string
  frequency?: number
  parser?: Record<string, unknown>
  tlp?: string
  licence?: string
  homepage?: string
  disabled?: boolean
}

const DEFAULT_RUNS = 20

const FEED_COLUMNS: Column<Feed>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'status', of: ({ status, is_active }) => (is_active ? status : 'OFF') },
  { title: 'format', of: ({ format }) => format },
  { title: 'type', of: ({ feed_type }) => feed_type },
  { title: 'reliability', of: ({ reliability }) => reliability },
  { title: 'every_s', of: ({ frequency }) => frequency },
  { title: 'listed', of: ({ listed }) => listed },
  { title: 'last_success', of: (feed) => feed.last_successful_run },
  { title: 'id', of: ({ id }) => id },
]
const HEALTH_COLUMNS: Column<FeedHealth>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'status', of: ({ status, is_active }) => (is_active ? status : 'OFF') },
  { title: 'last_attempt', of: (health) => health.last_attempt },
  { title: 'last_success', of: (health) => health.last_success },
  { title: 'new', of: ({ last_run }) => last_run?.new_count },
  { title: 'updated', of: ({ last_run }) => last_run?.updated_count },
  { title: 'rejected', of: ({ last_run }) => last_run?.rejected_count },
  { title: 'runs_7d', of: (health) => health.collections_7d },
  { title: 'failed_7d', of: (health) => health.failures_7d },
  { title: 'next_attempt', of: (health) => health.next_attempt },
  { title: 'error', of: ({ last_run }) => last_run?.error },
]
const RUN_COLUMNS: Column<Run>[] = [
  { title: 'started', of: (run) => run.started_at },
  { title: 'outcome', of: ({ outcome }) => outcome },
  { title: 'ms', of: (run) => run.duration_ms },
  { title: 'rows', of: (run) => run.row_count },
  { title: 'new', of: (run) => run.new_count },
  { title: 'updated', of: (run) => run.updated_count },
  { title: 'gone', of: (run) => run.gone_count },
  { title: 'rejected', of: (run) => run.rejected_count },
  { title: 'error', of: ({ error, warning }) => error ?? warning },
]

/** Adds `svc feeds …`. @returns the command, so that the entrypoint can add what is not the domain's */
export function addFeedCommands(program: Command, deps: FeedCommandDeps): Command {
  const feeds = program
    .command('feeds')
    .description('the lists that indicators come from')
    .addHelpText('after', '\nExamples:\n  svc feeds list\n  svc feeds fetch "IPsum level 3"')
  addReading(feeds, deps)
  addWriting(feeds, deps)
  addDeleting(feeds, deps)
  addProbing(feeds, deps)
  return feeds
}

function addReading(feeds: Command, { services, out }: FeedCommandDeps): void {
  feeds
    .command('list')
    .description('every feed, by name')
    .option('--status <word>', 'PENDING, HEALTHY or DEGRADED')
    .option('--type <word>', 'kind of feed, such as c2 or phishing')
    .option('--active', 'only those that are switched on')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExamples:\n  svc feeds list --active\n  svc feeds list --status degraded --json')
    .action(async ({ status, type, active, json }: JsonFlag & { status?: string; type?: string; active?: boolean }) => {
      const page = await (await services()).feeds.page(COMMAND_LINE_ACTOR, {
        ...(status === undefined ? {} : { status }),
        ...(type === undefined ? {} : { feed_type: type }),
        ...(active === true ? { is_active: true } : {}),
      })
      if (json === true) return out.json(page)
      out.table(page.items, FEED_COLUMNS)
      if (page.items.length === 0) out.note('No feed. Run: svc seed')
    })

  feeds
    .command('health')
    .description('how each feed is doing: last attempt, volumes, failures of 7 days, next attempt')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc feeds health')
    .action(async ({ json }: JsonFlag) => {
      const health = await (await services()).feeds.health(COMMAND_LINE_ACTOR)
      if (json === true) return out.json({ items: health })
      out.table(health, HEALTH_COLUMNS)
    })

  feeds
    .command('runs <feed>')
    .description('the latest collections of a feed (name or id), newest first')
    .option('--limit <number>', 'how many', wholeNumber(1, RUN_LIST_MAX), DEFAULT_RUNS)
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc feeds runs "IPsum level 3" --limit 5')
    .action(async (name: string, { limit, json }: JsonFlag & { limit: number }) => {
      const { feeds: service } = await services()
      const runs = await service.runs(COMMAND_LINE_ACTOR, (await service.find(name)).id, limit)
      if (json === true) return out.json({ items: runs })
      out.table(runs, RUN_COLUMNS)
      const [newest] = runs
      if (newest !== undefined && newest.rejections.length > 0)
        for (const line of describeRun({ ...newest, feed: name })) out.note(toPrintable(line))
    })
}

function addWriting(feeds: Command, { services, out }: FeedCommandDeps): void {
  withFeedFlags(feeds.command('add [name] [url]'))
    .description('registers a feed')
    .option('--disabled', 'registers it switched off')
    .option('--json', 'prints the feed as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  svc feeds add "My list" https://lists.example.org/ips.txt --format csv --type scanner\n  svc feeds add --name "My list" --url https://lists.example.org/ips.json --format json --parser \'{"items": "data.*", "value": "ip"}\'',
    )
    .action(async (name: string | undefined, url: string | undefined, { json, disabled, ...flags }: FeedFlags & JsonFlag) => {
      const input = toInput({ ...flags, ...(name === undefined ? {} : { name }), ...(url === undefined ? {} : { url }) })
      const feed = await (await services()).feeds.create(COMMAND_LINE_ACTOR, { format: 'CSV', ...input, is_active: disabled !== true })
      if (json === true) return out.json(feed)
      out.line(feed.id)
      out.note(toPrintable(`"${feed.name}" is registered. Collect it now: svc feeds fetch "${feed.name}"`))
    })

  withFeedFlags(feeds.command('edit <feed>'))
    .description('changes a feed (name or id); what is not named stays as it is')
    .option('--json', 'prints the feed as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  svc feeds edit "My list" --frequency 7200\n  svc feeds edit "My list" --name "Our list" --reliability B',
    )
    .action(async (name: string, { json, ...flags }: FeedFlags & JsonFlag) => {
      const input = toInput(flags)
      if (Object.keys(input).length === 0) throw new CannotRun('No change was named.', 'svc feeds edit --help shows what can be changed')
      const { feeds: service } = await services()
      const { id, version } = await service.find(name)
      const feed = await service.change(COMMAND_LINE_ACTOR, id, { version, ...input })
      if (json === true) return out.json(feed)
      out.note(toPrintable(`"${feed.name}" is changed.`))
    })

  for (const [verb, is_active] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    feeds
      .command(`${verb} <feed...>`)
      .description(is_active ? 'switches feeds on (names or ids)' : 'switches feeds off; what they have listed stays and ages')
      .addHelpText('after', `\nExample:\n  svc feeds ${verb} "My list"`)
      .action(async (names: string[]) => {
        const { feeds: service } = await services()
        for (const name of names) {
          const { id, version } = await service.find(name)
          const feed = await service.change(COMMAND_LINE_ACTOR, id, { version, is_active })
          out.note(toPrintable(`"${feed.name}" is switched ${is_active ? 'on' : 'off'}.`))
        }
      })
}

function withFeedFlags(command: Command): Command {
  return command
    .option('--name <text>', 'name of the feed')
    .option('--url <address>', 'HTTPS address; {NAME} in it is filled from the setting FEED_KEY_<NAME>')
    .option('--format <word>', 'CSV (also plain lists), JSON, STIX, TAXII or PULSE')
    .option('--type <word>', 'malware, c2, phishing, botnet, ransomware, scanner, bruteforce, spam, tor, proxy, dynamic_dns, other')
    .option('--reliability <letter>', 'A to F; C when not said')
    .option('--frequency <seconds>', 'between two collections', wholeNumber(FREQUENCY_MIN_SECONDS, FREQUENCY_MAX_SECONDS))
    .option('--parser <json>', 'how the rows are read; detected when not said', jsonObject)
    .option('--tlp <level>', 'CLEAR, GREEN, AMBER, AMBER+STRICT or RED')
    .option('--licence <text>', "the publisher's terms, in one sentence")
    .option('--homepage <address>', "the publisher's page about the list")
}

function toInput({ type, disabled: _disabled, ...flags }: FeedFlags): FeedInput {
  return { ...flags, ...(type === undefined ? {} : { feed_type: type }) }
}

function addDeleting(feeds: Command, { services, out, signal }: FeedCommandDeps): void {
  feeds
    .command('delete <feed>')
    .description('deletes a feed (name or id) and its runs; its indicators stay and age')
    .addOption(new Option('--purge <what>', 'deletes the indicators, too, that no other source has ever reported').choices(['orphans']))
    .option('--dry-run', 'counts, and deletes nothing')
    .option('--yes', 'does not ask')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc feeds delete "My list" --purge orphans --dry-run\n  svc feeds delete "My list" --yes')
    .action(async (name: string, flags: JsonFlag & { purge?: 'orphans'; dryRun?: boolean; yes?: boolean }) => {
      const { feeds: service } = await services()
      const feed = await service.find(name)
      const purge = flags.purge === 'orphans'
      const counted = await service.remove(COMMAND_LINE_ACTOR, feed.id, { purge, dryRun: true })
      const what = `"${feed.name}" lists ${counted.listed} indicators; ${counted.orphans} of them come from nowhere else${purge ? ' and would be deleted' : ''}; the others stay.`
      if (flags.dryRun === true && flags.json === true) return out.json(counted)
      const say = flags.dryRun === true ? out.line : out.note
      say(toPrintable(what))
      if (purge) for (const { type, value } of counted.examples) say(toPrintable(`  ${type} ${value}`))
      if (flags.dryRun === true) return
      if (!(await confirm('Delete the feed?', flags.yes === true, signal()))) {
        out.note('Nothing was deleted.')
        out.exitCode = EXIT_FAILED
        return
      }
      const removed = await service.remove(COMMAND_LINE_ACTOR, feed.id, { purge, dryRun: false })
      if (flags.json === true) return out.json(removed)
      out.note(purge ? `The feed and ${removed.orphans} indicators are deleted.` : 'The feed is deleted.')
    })
}

type ProbeFlags = JsonFlag & { file?: string; format?: string; type?: string; parser?: Record<string, unknown> }

function addProbing(feeds: Command, { services, out }: FeedCommandDeps): void {
  feeds
    .command('probe <url-or-feed>')
    .description('fetches a list and shows how it would be read; stores nothing')
    .option('--file <path>', 'reads a local copy of it instead')
    .option('--format <word>', 'CSV (also plain lists), JSON, STIX, TAXII or PULSE')
    .option('--type <word>', 'kind of feed; sets the severity')
    .option('--parser <json>', 'how the rows are read; detected when not said', jsonObject)
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc feeds probe https://lists.example.org/ips.txt\n  svc feeds probe "My list" --file ./copy.csv')
    .action(async (target: string, { json, file, ...flags }: ProbeFlags) => {
      const { feeds: service, probe } = await services()
      const known = target.includes('://') ? { url: target, format: 'CSV' } : await service.find(target)
      const { type, format = known.format, parser } = flags
      const feedType = type ?? ('feed_type' in known ? known.feed_type : undefined)
      const settings = parser ?? ('parser' in known ? { ...known.parser } : undefined)
      const result = await probe.probe(
        COMMAND_LINE_ACTOR,
        {
          url: known.url,
          format,
          ...(settings === undefined ? {} : { parser: settings }),
          ...(feedType === undefined ? {} : { feed_type: feedType }),
        },
        file,
      )
      if (result.accepted_count === 0) out.exitCode = EXIT_FAILED
      if (json === true) return out.json(result)
      out.note(
        `${result.row_count} rows in ${result.bytes} bytes: ${result.accepted_count} values, ${result.rejected_count} rejected, ${result.unsupported_count} of a kind not held.`,
      )
      out.note(toPrintable(`read as: ${JSON.stringify(result.layout)}`))
      out.table(result.samples, [
        { title: 'line', of: ({ line }) => line },
        { title: 'type', of: ({ type: kind }) => kind },
        { title: 'value', of: ({ value }) => value },
        { title: 'severity', of: ({ severity }) => severity },
        { title: 'tags', of: ({ tags }) => tags.join(',') },
        { title: 'as_written', of: ({ raw }) => raw },
      ])
      for (const { line, value, reason } of result.rejections.slice(0, 10)) out.note(toPrintable(`  line ${line}: ${value} - ${reason}`))
    })
}
