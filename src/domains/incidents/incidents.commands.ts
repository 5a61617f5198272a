import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { refuseField } from '#kernel/errors.ts'
import type { Column, Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import type { IncidentQuery, IncidentReading } from './incident-reading.service.ts'
import type { Incident } from './incident-view.ts'
import type { IncidentsService } from './incidents.service.ts'

export type IncidentCommandDeps = {
  incidents: () => Promise<Pick<IncidentsService, 'escalate'>>
  reading: () => Promise<Pick<IncidentReading, 'page' | 'report'>>
  out: Output
}

const COLUMNS: Column<Incident>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'severity', of: ({ severity }) => severity },
  { title: 'step', of: ({ status }) => status },
  { title: 'level', of: ({ level }) => level },
  { title: 'assignee', of: ({ assignee }) => assignee },
  { title: 'opened', of: ({ created_at }) => created_at },
  { title: 'due', of: ({ status, resolution_due_at }) => (status === 'CLOSED' ? null : resolution_due_at) },
  { title: 'title', of: ({ title }) => title },
]
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Adds `svc incidents …`. */
export function addIncidentCommands(program: Command, deps: IncidentCommandDeps): void {
  const incidents = program
    .command('incidents')
    .description('what is being done about what is known')
    .addHelpText(
      'after',
      '\nExamples:\n  svc incidents list --overdue\n  svc incidents escalate 0199... --reason "Three servers more answer the beacon."',
    )
  addList(incidents, deps)
  addEscalate(incidents, deps)
  addReport(incidents, deps)
}

type ListFlags = Omit<IncidentQuery, 'open'> & { all?: boolean; json?: boolean }

function addList(parent: Command, { reading, out }: IncidentCommandDeps): void {
  parent
    .command('list')
    .description('50 incidents that are not closed, newest first')
    .option('--all', 'closed ones too')
    .option('--status <words>', 'OPEN, ANALYSIS, CONTAINMENT, ERADICATION, RECOVERY, CLOSED; several with commas')
    .option('--severity <words>', 'LOW, MEDIUM, HIGH, CRITICAL; several with commas')
    .option('--level <words>', 'L1, L2, L3; several with commas')
    .option('--overdue', 'only those that are later than their severity allows')
    .option('--cursor <text>', 'the page after this one, as the page before has named it')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExamples:\n  svc incidents list --severity CRITICAL,HIGH\n  svc incidents list --all --status CLOSED --json')
    .action(async ({ all, json, ...query }: ListFlags) => {
      const openOnly = all === true || query.status !== undefined ? {} : { open: true }
      const page = await (await reading()).page({ ...openOnly, ...query }, undefined)
      if (json === true) return out.json(page)
      out.table(page.items, COLUMNS)
      out.note(page.total === 0 ? 'No incident fits.' : `${page.items.length} of ${page.total_exact ? '' : 'about '}${page.total}`)
      if (page.next !== null) out.note(`next page: --cursor ${page.next}`)
    })
}

function addEscalate(parent: Command, { incidents, out }: IncidentCommandDeps): void {
  parent
    .command('escalate <id>')
    .description('one level up, from L1 to L3; there is no way back, and whoever had the incident gives it up')
    .requiredOption('--reason <text>', 'why, in 10 to 2000 characters; it stays in the timeline')
    .option('--json', 'the incident as JSON, in the shape of the API')
    .addHelpText('after', '\nExample:\n  svc incidents escalate 0199... --reason "Three servers more answer the beacon."')
    .action(async (id: string, { reason, json }: { reason: string; json?: boolean }) => {
      requireId(id)
      const incident = await (await incidents()).escalate(COMMAND_LINE_ACTOR, { id }, { reason })
      if (json === true) return out.json(incident)
      out.line(toPrintable(`${incident.level}  ${incident.title}`))
    })
}

function addReport(parent: Command, { reading, out }: IncidentCommandDeps): void {
  parent
    .command('report <id>')
    .description('one incident with its whole timeline as Markdown, for those who have no account; the journal keeps that it left')
    .addHelpText('after', '\nExample:\n  svc incidents report 0199... > incident.md')
    .action(async (id: string) => {
      requireId(id)
      out.line((await (await reading()).report(COMMAND_LINE_ACTOR, id)).trimEnd())
    })
}

/** @throws validation_failed */
function requireId(id: string): void {
  if (!UUID.test(id)) throw refuseField('id', `"${id.slice(0, 60)}" is not the id of an incident. \`svc incidents list\` shows them.`)
}
