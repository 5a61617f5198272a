import { type Command, InvalidArgumentError } from 'commander'
import { oneOf, wholeNumber } from '#platform/cli/arguments.ts'
import { type Column, EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import {
  AUDIT_LIST_ROWS,
  AUDIT_OUTCOMES,
  AUDIT_PAGE_MAX,
  AUDIT_SINCE_MAX_HOURS,
  type AuditEvent,
  type AuditOutcome,
} from './audit.model.ts'
import type { AuditQuery, JournalService } from './journal.service.ts'
import type { ExpectedHead, LaneReport } from './verify-chain.service.ts'

export type AuditCommandDeps = { journal: () => Promise<JournalService>; signal: () => AbortSignal; out: Output }

const EVENT_COLUMNS: Column<AuditEvent>[] = [
  { title: 'at', of: ({ at }) => at },
  { title: 'action', of: ({ action }) => action },
  { title: 'outcome', of: ({ outcome }) => outcome },
  { title: 'actor', of: (event) => event.actor_name },
  { title: 'target', of: (event) => event.target_name ?? event.target_id },
  { title: 'chain', of: ({ chain }) => (chain === 'BROKEN' ? chain : '') },
  { title: 'ip', of: (event) => event.client_ip },
  {
    title: 'details',
    of: ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(' '),
  },
  { title: 'request_id', of: (event) => event.request_id },
]
const LANE_COLUMNS: Column<LaneReport>[] = [
  { title: 'lane', of: ({ lane }) => lane },
  { title: 'rows', of: ({ rows }) => rows },
  { title: 'broken', of: ({ broken }) => broken },
  { title: 'head', of: ({ head }) => head },
]

/** Adds `svc audit …`. */
export function addAuditCommands(program: Command, deps: AuditCommandDeps): void {
  const audit = program
    .command('audit')
    .description('the journal of who did what')
    .addHelpText('after', '\nExamples:\n  svc audit list --action auth. --outcome denied\n  svc audit verify')
  addList(audit, deps)
  addVerify(audit, deps)
}

type ListFlags = Omit<AuditQuery, 'request_id' | 'limit'> & { requestId?: string; limit: number; json?: boolean }

function addList(audit: Command, { journal, out }: AuditCommandDeps): void {
  audit
    .command('list')
    .description(`the ${AUDIT_LIST_ROWS} latest actions; a row that is not what was written is marked BROKEN`)
    .option('--action <prefix>', 'how the action begins, such as "feed."')
    .option('--outcome <word>', AUDIT_OUTCOMES.join(', '), oneOf<AuditOutcome>(AUDIT_OUTCOMES))
    .option('--since <hours>', 'only the last so many hours', wholeNumber(1, AUDIT_SINCE_MAX_HOURS))
    .option('--actor <name>', 'who, in any case')
    .option('--request-id <id>', 'what one request did')
    .option('--limit <rows>', `at most ${AUDIT_PAGE_MAX}`, wholeNumber(1, AUDIT_PAGE_MAX), AUDIT_LIST_ROWS)
    .option('--cursor <text>', 'the page after this one, as the page before has named it')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExamples:\n  svc audit list --since 24\n  svc audit list --action user. --actor ana --json')
    .action(async ({ requestId, json, ...query }: ListFlags) => {
      const page = await (await journal()).page(requestId === undefined ? query : { ...query, request_id: requestId })
      const broken = page.items.filter(({ chain }) => chain === 'BROKEN').length
      if (json === true) out.json(page)
      else {
        out.table(page.items, EVENT_COLUMNS)
        out.note(page.total === 0 ? 'No action fits.' : `${page.items.length} of ${page.total_exact ? '' : 'about '}${page.total}`)
        if (page.next !== null) out.note(`next page: --cursor ${page.next}`)
      }
      if (broken > 0) out.note(`${broken} row(s) are not what was written. Next: svc audit verify`)
    })
}

function addVerify(audit: Command, { journal, signal, out }: AuditCommandDeps): void {
  audit
    .command('verify')
    .description('recomputes the chain of the whole journal; exit code 1 when a row was changed, taken out or put in')
    .option(
      '--expect <lane:seq:hash>',
      'a head that was noted earlier, from here or from the log of svc.audit; may be given several times',
      (text: string, earlier?: ExpectedHead[]) => [...(earlier ?? []), parseHead(text)],
    )
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc audit verify\n  svc audit verify --expect 0:1204:5f1c…')
    .action(async ({ expect: expected = [], json }: { expect?: ExpectedHead[]; json?: boolean }) => {
      const report = await (await journal()).verify({
        expected,
        signal: signal(),
        onProgress: (rows) => out.progress(`${rows} rows…`),
      })
      out.progress('')
      if (!report.intact) out.exitCode = EXIT_FAILED
      if (json === true) return out.json(report)
      out.table(report.lanes, LANE_COLUMNS)
      const faults = [...report.lanes.map((lane) => lane.first_fault), ...report.expected.map(({ fault }) => fault)]
      for (const fault of faults) if (fault !== null) out.mark('bad', `${fault.fault}: ${fault.detail}`)
      if (report.intact)
        out.mark('good', `${report.rows} rows are as they were written${expected.length === 0 ? '' : ', and every noted head is there'}.`)
      else out.note(`${report.rows} rows were read. Compare with a backup, and with the log of svc.audit.`)
    })
}

const HEAD = /^(\d{1,9}):(\d{1,15}):([0-9a-f]{64})$/i

function parseHead(text: string): ExpectedHead {
  const [, lane, seq, hash] = HEAD.exec(text) ?? []
  if (hash === undefined) throw new InvalidArgumentError('Give lane:seq:hash, as `svc audit verify` prints it.')
  return { lane: Number(lane), seq: Number(seq), hash: hash.toLowerCase() }
}
