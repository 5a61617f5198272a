import type { Command } from 'commander'
import type { WarningListsService } from '#domains/warning-lists/warning-lists.service.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { wholeNumber } from '#platform/cli/arguments.ts'
import type { Column, Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import { DAYS_MAX } from './exclusions.model.ts'
import type { Effect, Exclusion, ExclusionQuery, ExclusionsService, Removed, Terms } from './exclusions.service.ts'

export type ExclusionCommandDeps = {
  exclusions: () => Promise<ExclusionsService>
  lists: () => Promise<Pick<WarningListsService, 'find'>>
  out: Output
}

const EXCLUSION_COLUMNS: Column<Exclusion>[] = [
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'value', of: ({ value }) => value },
  { title: 'state', of: ({ state }) => state },
  { title: 'reason', of: ({ reason }) => reason },
  { title: 'by', of: (exclusion) => exclusion.created_by },
  { title: 'since', of: (exclusion) => exclusion.created_at },
  { title: 'ends', of: (exclusion) => exclusion.ends_at },
  { title: 'list', of: (exclusion) => exclusion.list_name },
  { title: 'id', of: ({ id }) => id },
]

type TermFlags = { reason: string; days?: number; confirm?: number; dryRun?: boolean; json?: boolean }

/** Adds `svc soc exclude`, `exclusions`, `unexclude`, `exclude-list` and `unexclude-list`. @returns `svc soc` */
export function addExclusionCommands(program: Command, deps: ExclusionCommandDeps): Command {
  const soc = program
    .command('soc')
    .description('operations: exclusions of false positives, and how long answers take')
    .addHelpText('after', "\nExamples:\n  svc soc exclude cdn.example.com --reason 'content network'\n  svc soc exclusions")
  addExclude(soc, deps)
  addList(soc, deps)
  addUnexclude(soc, deps)
  addLists(soc, deps)
  return soc
}

function addExclude(soc: Command, { exclusions, out }: ExclusionCommandDeps): void {
  withTerms(soc.command('exclude <ioc>'))
    .description('keeps a value or a pattern out of every list, count, hunt and export; what is stored, and what arrives later')
    .option(
      '--kind <word>',
      'VALUE, DOMAIN (with all names below), NETWORK (with all addresses inside), HOST (all URLs on it); VALUE when not said',
    )
    .addHelpText(
      'after',
      "\nExamples:\n  svc soc exclude 198.51.100.7 --reason 'our own scanner' --days 30\n  svc soc exclude '*.cdn.example.com' --reason 'content network' --dry-run",
    )
    .action(async (value: string, { kind, dryRun, json, ...flags }: TermFlags & { kind?: string }) => {
      const service = await exclusions()
      const input = { value, ...(kind === undefined ? {} : { kind }) }
      const done =
        dryRun === true ? await service.preview(input) : await service.exclude(COMMAND_LINE_ACTOR, { ...input, ...toTerms(flags) })
      if (json === true) return out.json(done)
      const { pattern, effect } = done
      out.line(toPrintable(`${dryRun === true ? 'would exclude' : 'excluded'} ${pattern.kind} ${pattern.value}`))
      tellEffect(out, effect)
    })
}

function addList(soc: Command, { exclusions, out }: ExclusionCommandDeps): void {
  soc
    .command('exclusions')
    .description('50 exclusions, newest first')
    .option('--all', 'also those that have ended by themselves')
    .option('--kind <word>', 'VALUE, DOMAIN, NETWORK or HOST')
    .option('--cursor <text>', 'the page after this one, as the page before has named it')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExamples:\n  svc soc exclusions\n  svc soc exclusions --all --json')
    .action(async ({ all, json, ...plain }: { all?: boolean; kind?: string; cursor?: string; json?: boolean }) => {
      const query: ExclusionQuery = all === true ? plain : { ...plain, state: 'ACTIVE' }
      const page = await (await exclusions()).page(query)
      if (json === true) return out.json(page)
      out.table(page.items, EXCLUSION_COLUMNS)
      out.note(`${page.items.length} of ${page.total}`)
      if (page.next !== null) out.note(`next page: --cursor ${page.next}`)
    })
}

function addUnexclude(soc: Command, { exclusions, out }: ExclusionCommandDeps): void {
  soc
    .command('unexclude <exclusion>')
    .description('removes an exclusion (its id, or what it excludes), and says what comes back')
    .option('--kind <word>', 'of what it excludes; VALUE when not said')
    .option('--dry-run', 'only says what would come back')
    .option('--json', 'as JSON')
    .addHelpText('after', "\nExamples:\n  svc soc unexclude 198.51.100.7\n  svc soc unexclude '*.cdn.example.com' --dry-run")
    .action(async (wanted: string, { kind, dryRun, json }: { kind?: string; dryRun?: boolean; json?: boolean }) => {
      const service = await exclusions()
      const { id } = await service.find(wanted, kind)
      tellRemoved(out, dryRun === true ? await service.previewRemoval(id) : await service.remove(COMMAND_LINE_ACTOR, id), json)
    })
}

function addLists(soc: Command, { exclusions, lists, out }: ExclusionCommandDeps): void {
  withTerms(soc.command('exclude-list <list>'))
    .description('excludes what a warning list (its name or id) names: values, names and ranges')
    .addHelpText('after', "\nExample:\n  svc soc exclude-list 'List of known public DNS resolvers' --reason 'resolvers' --dry-run")
    .action(async (wanted: string, { dryRun, json, ...flags }: TermFlags) => {
      const { id } = await (await lists()).find(wanted)
      const done = await (await exclusions()).excludeList(COMMAND_LINE_ACTOR, id, { ...toTerms(flags), dryRun: dryRun === true })
      if (json === true) return out.json(done)
      out.line(`exclusions added ${done.added}, there already ${done.already}${dryRun === true ? ' (taken back)' : ''}`)
      tellEffect(out, done.effect)
      for (const { reason, count, example } of done.skipped)
        out.note(toPrintable(`  ${count} entries skipped, such as ${example} - ${reason}`))
    })
  soc
    .command('unexclude-list <list>')
    .description('removes every exclusion that came with a warning list (its name or id), and says what comes back')
    .option('--dry-run', 'only says what would come back')
    .option('--json', 'as JSON')
    .addHelpText('after', "\nExample:\n  svc soc unexclude-list 'List of known public DNS resolvers'")
    .action(async (wanted: string, { dryRun, json }: { dryRun?: boolean; json?: boolean }) => {
      const { id } = await (await lists()).find(wanted)
      tellRemoved(out, await (await exclusions()).removeList(COMMAND_LINE_ACTOR, id, { dryRun: dryRun === true }), json)
    })
}

function withTerms(command: Command): Command {
  return command
    .requiredOption('--reason <text>', 'why; it is shown wherever the value is asked for')
    .option('--days <n>', 'ends by itself after so many days', wholeNumber(1, DAYS_MAX))
    .option('--confirm <count>', 'how many IOCs may be silenced, where that is asked for', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option('--dry-run', 'only says what it would touch')
    .option('--json', 'as JSON, in the shape of the API')
}

function toTerms({ reason, days, confirm }: Pick<TermFlags, 'reason' | 'days' | 'confirm'>): Terms {
  return { reason, ...(days === undefined ? {} : { days }), ...(confirm === undefined ? {} : { confirm_count: confirm }) }
}

function tellEffect(out: Output, { touched, base, asks_again, examples }: Effect): void {
  out.line(`silenced ${touched}${base === 0 ? '' : ` of ${base}`}`)
  for (const { type, value } of examples) out.note(toPrintable(`  ${type} ${value}`))
  if (asks_again) out.note(`This is more than 1 % of the base: it wants --confirm ${touched}`)
}

function tellRemoved(out: Output, done: Removed, json: boolean | undefined): void {
  if (json === true) {
    out.json(done)
    return
  }
  const { active, expired, still_excluded, examples } = done.comeback
  out.line(`exclusions ${done.removed ? 'removed' : 'that would go'} ${done.exclusions}`)
  out.line(`counting again ${active}, expired meanwhile ${expired}, excluded by others ${still_excluded}`)
  for (const { type, value } of examples) out.note(toPrintable(`  ${type} ${value}`))
}
