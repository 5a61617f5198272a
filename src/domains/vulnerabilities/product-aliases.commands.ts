import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import type { Column, Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import type { ProductAliasesService } from './product-aliases.service.ts'

type Row = Awaited<ReturnType<ProductAliasesService['list']>>[number]

const COLUMNS: Column<Row>[] = [
  { title: 'name', of: ({ name }) => name },
  { title: 'vendor', of: ({ vendor }) => vendor },
  { title: 'product', of: ({ product }) => product },
  { title: 'added', of: (alias) => alias.created_at },
  { title: 'by', of: (alias) => alias.created_by },
]

/** Adds `svc cves aliases`, with `add` and `remove` below it. */
export function addProductAliasCommands(cves: Command, deps: { aliases: () => Promise<ProductAliasesService>; out: Output }): void {
  const { aliases: service, out } = deps
  const aliases = cves
    .command('aliases')
    .description('names that are used here for products, beside those that the service knows')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText('after', "\nExamples:\n  svc cves aliases\n  svc cves aliases add 'post office' acme mail_server")
    .action(async ({ json }: { json?: boolean }) => {
      const items = await (await service()).list()
      if (json === true) return out.json({ items })
      out.table(items, COLUMNS)
      if (items.length === 0) out.note('None. A name is added by: svc cves aliases add <name> <vendor> <product>')
    })
  aliases
    .command('add <name> <vendor> <product>')
    .description('lets a name stand for a product, which is named as CPE writes it')
    .addHelpText('after', "\nExample:\n  svc cves aliases add 'post office' acme mail_server")
    .action(async (name: string, vendor: string, product: string) => {
      const alias = await (await service()).add(COMMAND_LINE_ACTOR, { name, vendor, product })
      out.line(toPrintable(`"${alias.name}" stands for ${alias.vendor} ${alias.product}`))
    })
  aliases
    .command('remove <name>')
    .description('removes a name from every product that it stands for')
    .addHelpText('after', "\nExample:\n  svc cves aliases remove 'post office'")
    .action(async (given: string) => {
      const known = (await (await service()).list()).filter(({ name }) => name === given.trim().toLowerCase())
      if (known.length === 0) throw new DomainError('not_found', 'There is no such name of a product.')
      for (const { id, name, vendor, product } of known) {
        await (await service()).remove(COMMAND_LINE_ACTOR, id)
        out.line(toPrintable(`"${name}" stands for ${vendor} ${product} no more`))
      }
    })
}
