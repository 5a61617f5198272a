import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { EXIT_CANNOT_RUN, EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import type { CollectService } from './collecting/collect.service.ts'
import type { Collection } from './collecting/settle-collection.service.ts'
import type { Feed, FeedsService } from './feeds.service.ts'
import { describeRun, isFailure } from './run-report.ts'
import { createCollectionSlots, hostOf } from './schedule/collection-slots.ts'

export type FeedFetchDeps = {
  services: () => Promise<{ feeds: FeedsService; collect: CollectService }>
  out: Output
  signal: () => AbortSignal
}
type FetchFlags = { json?: boolean; file?: string; acceptShrink?: boolean }

/** Adds `svc feeds fetch` and `svc feeds fetch-all`. Exit code 1 when a collection fails. */
export function addFeedFetchCommands(feeds: Command, deps: FeedFetchDeps): void {
  const { services, out, signal } = deps
  feeds
    .command('fetch <feed>')
    .description('collects one feed (name or id) now')
    .option('--file <path>', 'reads a local copy of it instead')
    .option('--accept-shrink', 'believes a list that has lost most of its values')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc feeds fetch "IPsum level 3"\n  svc feeds fetch "My list" --file ./copy.csv')
    .action(async (name: string, { json, file, acceptShrink }: FetchFlags) => {
      const { feeds: service, collect } = await services()
      const feed = await service.find(name)
      out.progress(`Collecting "${feed.name}"…`)
      const run = await collect.collect(COMMAND_LINE_ACTOR, feed.id, {
        signal: signal(),
        acceptShrink: acceptShrink === true,
        ...(file === undefined ? {} : { file }),
      })
      if (isFailure(run.outcome) || run.outcome === 'POSTPONED') out.exitCode = EXIT_FAILED
      if (json === true) return out.json(run)
      for (const line of describeRun(run)) out.line(toPrintable(line))
    })

  feeds
    .command('fetch-all')
    .description('collects every active feed that is due; one that failed does not wait')
    .option('--force', 'collects those, too, that are not due yet')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc feeds fetch-all\n  svc feeds fetch-all --force --json')
    .action(async ({ force, json }: { force?: boolean; json?: boolean }) => await fetchAll(deps, force === true, json === true))
}

async function fetchAll({ services, out, signal }: FeedFetchDeps, force: boolean, json: boolean): Promise<void> {
  const { feeds: service, collect } = await services()
  const { items: active } = await service.page(COMMAND_LINE_ACTOR, { is_active: true })
  if (active.length === 0) {
    out.error('No feed is switched on.', 'svc seed registers public ones; svc feeds enable switches one on')
    out.exitCode = EXIT_CANNOT_RUN
    return
  }
  const chosen = force ? active : await dueAmong(active, service)
  const done: Collection[] = []
  let refused = 0
  const slots = createCollectionSlots<{ id: string; host: string; name: string }>(collect.atOnce, async ({ id, name }) => {
    try {
      const run = await collect.collect(COMMAND_LINE_ACTOR, id, { signal: signal() })
      done.push(run)
      if (!json) for (const line of describeRun(run)) out.line(toPrintable(line))
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'already_collecting') refused++
      out.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
    out.progress(`${done.length + refused} of ${chosen.length} feeds collected…`)
  })
  out.progress(`0 of ${chosen.length} feeds collected…`)
  await slots.collectAll(
    chosen.map(({ id, name, url }) => ({ id, name, host: hostOf(url) })),
    signal(),
  )
  const failed = done.filter(({ outcome }) => isFailure(outcome)).length
  if (failed + refused > 0) out.exitCode = EXIT_FAILED
  if (json) return out.json({ items: done })
  out.note(`${done.length - failed} collected, ${failed + refused} failed.`)
  if (chosen.length < active.length) out.note(`${active.length - chosen.length} feeds are not due yet; --force collects them too.`)
}

/** Those whose interval is over, and those that failed: a person who asks does not wait for the back-off. */
async function dueAmong(active: readonly Feed[], service: FeedsService): Promise<Feed[]> {
  const due = new Set((await service.listDue()).map(({ id }) => id))
  const failing = new Set(
    (await service.health(COMMAND_LINE_ACTOR)).filter((health) => health.consecutive_failures > 0).map((health) => health.feed_id),
  )
  return active.filter(({ id }) => due.has(id) || failing.has(id))
}
