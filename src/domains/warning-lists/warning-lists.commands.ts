import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import { type Column, EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import { readPublished } from './read-published.ts'
import { LIST_FILE_MAX_BYTES } from './warning-lists.model.ts'
import type { ImportResult, WarningList, WarningListsService } from './warning-lists.service.ts'

export type WarningListCommandDeps = { lists: () => Promise<WarningListsService>; out: Output }
type Imported = { file: string; outcome: ImportResult['outcome'] | 'refused'; list: WarningList | null; reason: string | null }

/** Files of one folder. Assumption: the public collection has about 120. */
const FILES_MAX = 2000

const LIST_COLUMNS: Column<WarningList>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'type', of: ({ type }) => type },
  { title: 'version', of: (list) => list.list_version },
  { title: 'entries', of: (list) => list.entry_count },
  { title: 'skipped', of: (list) => list.skipped_count },
  { title: 'applies_to', of: (list) => list.applies_to.join(',') },
  { title: 'revision', of: ({ revision }) => revision },
  { title: 'imported', of: (list) => list.imported_at },
]
const IMPORT_COLUMNS: Column<Imported>[] = [
  { title: 'file', of: ({ file }) => file },
  { title: 'outcome', of: ({ outcome }) => outcome },
  { title: 'name', of: ({ list }) => list?.name },
  { title: 'entries', of: ({ list }) => list?.entry_count },
  { title: 'skipped', of: ({ list }) => list?.skipped_count },
  { title: 'reason', of: ({ reason }) => reason },
]

/** Adds `svc lists …`. */
export function addWarningListCommands(program: Command, { lists, out }: WarningListCommandDeps): void {
  const command = program
    .command('lists')
    .description('warning lists: values that are likely to be harmless')
    .addHelpText('after', '\nExamples:\n  svc lists import ./misp-warninglists/lists\n  svc lists list')

  command
    .command('import <paths...>')
    .description('imports lists in the format of MISP: files, or folders with all their .json files; one of the same name is replaced')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc lists import ./public-dns.json\n  svc lists import ./misp-warninglists/lists --json')
    .action(async (paths: string[], { json }: { json?: boolean }) => {
      const files = paths.flatMap(listFiles)
      const service = await lists()
      const imported: Imported[] = []
      for (const file of files) {
        out.progress(`Importing ${file}…`)
        imported.push(await importFile(service, file))
      }
      if (imported.some(({ outcome }) => outcome === 'refused')) out.exitCode = EXIT_FAILED
      if (json === true) return out.json({ items: imported })
      out.table(imported, IMPORT_COLUMNS)
      for (const { list } of imported)
        for (const { code, count, reason, example } of list?.skipped ?? [])
          out.note(toPrintable(`  ${list?.name}: ${count} entries skipped (${code}), such as ${example} - ${reason}`))
    })

  command
    .command('list')
    .description('every warning list, by name')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', '\nExample:\n  svc lists list')
    .action(async ({ json }: { json?: boolean }) => {
      const items = await (await lists()).list()
      if (json === true) return out.json({ items })
      out.table(items, LIST_COLUMNS)
      if (items.length === 0) out.note('No warning list. Import some: svc lists import <files or folder>')
    })

  command
    .command('remove <names...>')
    .description('removes lists (names or ids); their notes disappear with them')
    .addHelpText('after', '\nExample:\n  svc lists remove "List of known IPv4 public DNS resolvers"')
    .action(async (names: string[]) => {
      const service = await lists()
      for (const wanted of names) {
        const { id, name } = await service.find(wanted)
        await service.remove(COMMAND_LINE_ACTOR, id)
        out.note(toPrintable(`"${name}" is removed.`))
      }
    })
}

/** A file that is refused does not keep the others from being imported. */
async function importFile(service: WarningListsService, file: string): Promise<Imported> {
  try {
    if (statSync(file).size > LIST_FILE_MAX_BYTES)
      return { file, outcome: 'refused', list: null, reason: `The file is larger than ${LIST_FILE_MAX_BYTES / 1024 / 1024} MiB.` }
    return { file, reason: null, ...(await service.import(COMMAND_LINE_ACTOR, readPublished(readFileSync(file, 'utf8')))) }
  } catch (error) {
    if (!(error instanceof DomainError || isFileError(error))) throw error
    return { file, outcome: 'refused', list: null, reason: error.message }
  }
}

/** Of reading a file; the database's errors carry a code too, but no system call. */
function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

function listFiles(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new CannotRun(`There is no file or folder ${path}.`, 'check the name')
  if (!found.isDirectory()) return [path]
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  if (files.length === 0) throw new CannotRun(`The folder ${path} holds no .json file.`, 'name the folder that holds the lists')
  if (files.length > FILES_MAX)
    throw new CannotRun(`The folder ${path} holds ${files.length} .json files; ${FILES_MAX} are read at most.`, 'name a smaller folder')
  return files
}
