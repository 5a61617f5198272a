import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { createOutput } from '#platform/cli/output.ts'
import { loadConfig } from '#platform/config/load-config.ts'
import type { Services } from '../services.ts'
import type { CliContext } from './cli-context.ts'
import { completionScript } from './completion.ts'
import { buildProgram } from './program.ts'
import { runCommandLine } from './run-command-line.ts'

const FEED = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 'A list',
  url: 'https://lists.example.org/a.txt',
  format: 'CSV',
  feed_type: 'scanner',
  status: 'HEALTHY',
  is_active: true,
  reliability: 'C',
  frequency: 3600,
  listed: 3,
  last_successful_run: new Date('2026-01-02T03:04:05.006Z'),
  version: 4,
}

/** Runs a command line over the given services; asking for services that were not given fails the test. */
async function run(args: string[], services?: object) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text
    },
  })
  const out = createOutput({ stdout: stream('stdout'), stderr: stream('stderr'), noColor: false })
  const context: CliContext = {
    out,
    config: () =>
      loadConfig({ SVC_ENV_FILE: '', PORT: '8123', SECRET_KEY: 'do-not-show-this', DATABASE_URL: 'postgres://u:hidden@db/svc' }, '/'),
    // The commands under test use what is given here and nothing else.
    services: async () => (services ?? expect.fail('A database was asked for.')) as Services,
    serviceConfig: async () => expect.fail('A database was asked for.'),
    databases: async () => expect.fail('A database was asked for.'),
    signal: () => new AbortController().signal,
    close: async () => {},
  }
  const code = await runCommandLine(args, context)
  return { code, ...written }
}

function listCommands(command: Command, path: string[] = []): { path: string[]; command: Command }[] {
  return command.commands.flatMap((child) => {
    const here = [...path, child.name()]
    return [...(child.commands.length === 0 ? [{ path: here, command: child }] : []), ...listCommands(child, here)]
  })
}

const program = buildProgram({
  out: createOutput({ stdout: { write() {} }, stderr: { write() {} }, noColor: true }),
} as unknown as CliContext)
const COMMANDS = listCommands(program)

describe('usage', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'an unknown command',                    args: ['feed'],                                                says: 'Did you mean one of feeds' },
    { title: 'an unknown subcommand',                 args: ['feeds', 'lst'],                                        says: 'error: ' },
    { title: 'an unknown option',                     args: ['feeds', 'list', '--jsn'],                              says: '--json' },
    { title: 'a missing argument',                    args: ['feeds', 'fetch'],                                      says: 'missing required argument' },
    { title: 'an argument too many',                  args: ['feeds', 'fetch', 'a', 'b'],                            says: 'too many arguments' },
    { title: 'a port that is none',                   args: ['up', '--port', '70000'],                               says: 'whole number from 0 to 65535' },
    { title: 'a limit that is none',                  args: ['feeds', 'runs', 'x', '--limit', 'ten'],                says: 'whole number' },
    { title: 'a role that does not exist',            args: ['users', 'create', '--username', 'a', '--role', 'king'], says: 'ADMIN, ANALYST, VIEWER' },
    { title: 'a missing option that has to be there', args: ['users', 'create', '--username', 'a'],                  says: '--role' },
    { title: 'parser settings that are no JSON',      args: ['feeds', 'add', 'a', 'https://a.example', '--parser', '{'], says: 'JSON object' },
    { title: 'a shell without completion',            args: ['completion', 'cmd'],                                   says: 'bash, zsh, fish' },
    { title: 'a group without its command',           args: ['db'],                                                  says: 'Usage: svc db' },
  ])('$title is 64, says what is wrong on the error output, and opens nothing', async ({ args, says }) => {
    const { code, stdout, stderr } = await run(args)
    expect(code).toBe(64)
    expect(stderr).toContain(says)
    expect(stdout).toBe('')
  })

  test('no command at all shows the help and is no mistake', async () => {
    const { code, stdout } = await run([])
    expect(code).toBe(0)
    expect(stdout).toContain('Usage: svc')
  })

  test.each(COMMANDS.map(({ path }) => ({ line: path.join(' '), path })))(
    'svc $line --help opens nothing and ends with examples',
    async ({ path }) => {
      const { code, stdout, stderr } = await run([...path, '--help'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/Examples?:\n {2}\S/)
    },
  )

  test.each(
    COMMANDS.filter(({ path }) => /^(list|show|health|runs|config|status|current|check|lookup|version)$/.test(path.at(-1) ?? '')).map(
      ({ path, command }) => ({ line: path.join(' '), command }),
    ),
  )('svc $line has --json', ({ command }) => expect(command.options.map(({ long }) => long)).toContain('--json'))
})

describe('data', () => {
  const feeds = { page: async () => ({ items: [FEED], total: 1, total_exact: true, next: null }) }

  test('as JSON has the shape of the API and nothing else on either output', async () => {
    const { code, stdout, stderr } = await run(['feeds', 'list', '--json'], { feeds })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      items: [{ name: 'A list', last_successful_run: '2026-01-02T03:04:05.006Z' }],
      total: 1,
      next: null,
    })
  })

  test('piped is tab-separated, one title line and one line an item, without an escape sequence', async () => {
    const { stdout } = await run(['feeds', 'list'], { feeds: { page: async () => ({ items: [{ ...FEED, name: 'A\u001b[31m list' }] }) } })
    const [head, row, ...rest] = stdout.trimEnd().split('\n')
    expect(head?.split('\t').slice(0, 3)).toEqual(['name', 'status', 'format'])
    expect(row?.split('\t').slice(0, 3)).toEqual(['A\\x1b[31m list', 'HEALTHY', 'CSV'])
    expect(rest).toEqual([])
    expect(stdout).not.toContain('\u001b')
  })

  test('of the settings never shows a secret', async () => {
    const { stdout } = await run(['config', '--json'])
    expect(stdout).not.toMatch(/do-not-show-this|hidden/)
    expect(JSON.parse(stdout).settings).toContainEqual(expect.objectContaining({ setting: 'PORT', value: '8123' }))
  })

  test('of the version is one line', async () => expect((await run(['version'])).stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/))
})

describe('collections', () => {
  const end = {
    feed: 'A list',
    run_id: 'x',
    duration_ms: 1200,
    fetched_bytes: 40,
    decoded_bytes: 96,
    decoding: ['gzip', 'utf-8'],
    row_count: 4,
    new_count: 2,
    updated_count: 1,
    gone_count: 0,
    rejected_count: 1,
    unsupported_count: 0,
    rejected_by_code: { type_mismatch: 1 },
    rejections: [{ line: 3, value: 'bad\u001b[2J', code: 'type_mismatch', reason: 'The value is not an IP address.' }],
    error: null,
    warning: null,
  }
  const over = (outcome: string, error: string | null = null) => ({
    feeds: { find: async () => FEED },
    collect: { collect: async () => ({ ...end, outcome, error }) },
  })

  // biome-ignore format: one case per line
  test.each([
    { outcome: 'SUCCEEDED',   code: 0 },
    { outcome: 'UNCHANGED',   code: 0 },
    { outcome: 'PARTIAL',     code: 1 },
    { outcome: 'FAILED',      code: 1 },
    { outcome: 'POSTPONED',   code: 1 },
    { outcome: 'INTERRUPTED', code: 1 },
  ])('one that ended as $outcome exits with $code', async ({ outcome, code }) => expect((await run(['feeds', 'fetch', 'A list'], over(outcome))).code).toBe(code))

  test('are told in words, with counts, reasons and examples', async () => {
    const { stdout } = await run(['feeds', 'fetch', 'A list'], over('SUCCEEDED'))
    expect(stdout).toContain('"A list" was collected (1.2 s).')
    expect(stdout).toContain('rows 4: new 2, seen again 1, gone from the list 0, rejected 1')
    expect(stdout).toContain('line 3: bad\\x1b[2J - The value is not an IP address.')
  })

  test('of all feeds go on after one has failed, and the failure shows in the exit code', async () => {
    const items = ['a', 'b', 'c'].map((id) => ({ ...FEED, id, name: id, url: `https://${id}.example.org/` }))
    const collected: string[] = []
    const { code, stderr } = await run(['feeds', 'fetch-all', '--force'], {
      feeds: { page: async () => ({ items }) },
      collect: {
        collect: async (_actor: unknown, id: string) => {
          collected.push(id)
          if (id === 'a') throw new Error('broken')
          return { ...end, feed: id, outcome: 'SUCCEEDED' }
        },
      },
    })
    expect(collected.sort()).toEqual(['a', 'b', 'c'])
    expect(code).toBe(1)
    expect(stderr).toContain('2 collected, 1 failed.')
  })
})

describe('a deletion', () => {
  test('without a terminal and without --yes cannot run, and deletes nothing', async () => {
    const removals: boolean[] = []
    const { code, stderr } = await run(['feeds', 'delete', 'A list'], {
      feeds: {
        find: async () => FEED,
        remove: async (_actor: unknown, _id: string, { dryRun }: { dryRun: boolean }) => {
          removals.push(dryRun)
          return { deleted: !dryRun, listed: 3, orphans: 1, kept: 2, examples: [] }
        },
      },
    })
    expect({ code, removals }).toEqual({ code: 2, removals: [true] })
    expect(stderr).toContain('--yes')
  })
})

test.each(['bash', 'zsh', 'fish'] as const)('the completion of %s offers every command', (shell) => {
  const script = completionScript(program, shell)
  for (const { path } of COMMANDS) expect(script).toContain(path.at(-1))
})
