import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import type { Mark } from '#platform/cli/output.ts'
import { maskUrls } from '#platform/config/describe-config.ts'
import type { Config } from '#platform/config/settings.ts'
import type { Services } from '../services.ts'
import { settingFaults } from '../setting-rules.ts'
import { type CliContext, commandWords } from './cli-context.ts'

/** One line of the doctor. */
export type Check = { name: string; mark: Mark; text: string; remedy?: string }

/** Everything that the service needs, looked at one after the other; what cannot be reached is a finding, not an error. */
export async function runChecks(context: CliContext): Promise<Check[]> {
  const config = context.config()
  const faults = settingFaults(config, commandWords(config))
  const settings: Check[] =
    faults.length === 0
      ? [{ name: 'settings', mark: 'good', text: `fit for ${config.ENVIRONMENT}` }]
      : faults.map(({ message }) => ({ name: 'settings', mark: 'bad', text: message, remedy: 'svc config shows every setting' }))
  const exemptions = [...settings, checkExemptions(config)]
  // Nothing is opened with settings that the service would refuse.
  if (faults.length > 0) return exemptions
  const opened = await openOrExplain(context)
  if ('mark' in opened) return [opened, ...exemptions]
  return [
    { name: 'database', mark: 'good', text: 'reachable' },
    { name: 'schema', mark: 'good', text: 'up to date' },
    await checkStore(opened),
    ...(await checkFeeds(opened)),
    await checkIndicators(opened),
    ...(await checkCves(opened)),
    ...exemptions,
  ]
}

async function openOrExplain(context: CliContext): Promise<Services | Check> {
  try {
    return await context.services()
  } catch (error) {
    const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    if (error instanceof CannotRun) return { name: 'database', mark: 'bad', text, remedy: error.next }
    return {
      name: 'database',
      mark: 'bad',
      text: text === '' ? 'cannot be reached' : text,
      remedy: 'check DATABASE_URL, or start the service: svc up',
    }
  }
}

async function checkStore({ redis }: Services): Promise<Check> {
  if (redis === undefined) return { name: 'store', mark: 'good', text: 'not used; PostgreSQL holds the locks' }
  if (await redis.isReachable()) return { name: 'store', mark: 'good', text: 'reachable' }
  return {
    name: 'store',
    mark: 'warning',
    text: 'cannot be reached',
    remedy: 'check REDIS_URL, or unset it: PostgreSQL then holds the locks',
  }
}

async function checkFeeds({ feeds }: Services): Promise<Check[]> {
  const health = await feeds.health(COMMAND_LINE_ACTOR)
  const active = health.filter((feed) => feed.is_active)
  if (active.length === 0)
    return [
      {
        name: 'feeds',
        mark: 'warning',
        text: `none of ${health.length} is switched on`,
        remedy: health.length === 0 ? 'svc seed' : 'svc feeds enable <name>',
      },
    ]
  const count = (status: string) => active.filter((feed) => feed.status === status).length
  const text = `${active.length} of ${health.length} are on: ${count('HEALTHY')} healthy, ${count('PENDING')} pending, ${count('DEGRADED')} degraded`
  const degraded = active.filter((feed) => feed.status === 'DEGRADED')
  return [
    {
      name: 'feeds',
      mark: degraded.length === 0 ? 'good' : 'warning',
      text,
      ...(count('PENDING') === active.length ? { remedy: 'svc feeds fetch-all' } : {}),
    },
    ...degraded.map(
      ({ name, last_run }): Check => ({
        name: 'feed',
        mark: 'warning',
        text: `${name}: ${last_run?.error ?? 'the last collection failed'}`,
        remedy: `svc feeds runs "${name}"`,
      }),
    ),
  ]
}

async function checkIndicators({ indicators }: Services): Promise<Check> {
  const { total, total_exact } = await indicators.page({})
  if (total === 0) return { name: 'indicators', mark: 'warning', text: 'the base is empty', remedy: 'svc feeds fetch-all' }
  return { name: 'indicators', mark: 'good', text: `${total_exact ? '' : 'about '}${total}` }
}

async function checkCves({ cvesSync }: Services): Promise<Check[]> {
  const { sources, epss_stale } = await cvesSync.status()
  const checks = sources.map(({ source, status, succeeded_at, error, progress, data_day }): Check => {
    const name = source.toLowerCase()
    if (error !== null) return { name, mark: 'warning', text: error, remedy: `svc cves sync --only ${name}` }
    if (status === 'NEVER' && data_day !== null) return { name, mark: 'good', text: `from a file, of ${data_day}` }
    const since = succeeded_at === null ? 'never' : succeeded_at.toISOString()
    const far =
      progress === null
        ? ''
        : `; ${progress.read} of ${progress.total ?? '?'} records of the window up to ${progress.to.toISOString()} are read`
    return {
      name,
      mark: succeeded_at === null ? 'warning' : 'good',
      text: `up to date ${since}${far}`,
      ...(status === 'NEVER' ? { remedy: 'svc cves sync' } : {}),
    }
  })
  // An empty base is told of already.
  if (!epss_stale || sources.every(({ status, data_day }) => status === 'NEVER' && data_day === null)) return checks
  const day = sources.find(({ source }) => source === 'EPSS')?.data_day
  return [
    ...checks,
    {
      name: 'epss',
      mark: 'warning',
      text: `the scores are stale: ${day ?? 'there are none'}`,
      remedy: 'svc cves sync --only epss, or svc cves import <file of EPSS scores>',
    },
  ]
}

function checkExemptions({ OUTBOUND_ALLOW_HOSTS }: Config): Check {
  if (OUTBOUND_ALLOW_HOSTS === '') return { name: 'outbound', mark: 'good', text: 'no host is exempt from the guard' }
  return {
    name: 'outbound',
    mark: 'warning',
    text: `exempt from the guard: ${maskUrls(OUTBOUND_ALLOW_HOSTS)}`,
    remedy: 'empty OUTBOUND_ALLOW_HOSTS when it is not needed',
  }
}
