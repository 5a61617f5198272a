import type { Command } from 'commander'
import { EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import type { DescribedCollection, TaxiiDescription, TaxiiService } from './taxii.service.ts'

export type TaxiiCommandDeps = { taxii: () => Promise<TaxiiService>; out: Output; signal: () => AbortSignal }

/** Adds `svc taxii discover`. Exit code 1 when no collection may be read. */
export function addTaxiiCommands(program: Command, { taxii, out, signal }: TaxiiCommandDeps): void {
  program
    .command('taxii')
    .description('servers that share intelligence by TAXII 2.1')
    .addHelpText('after', '\nExample:\n  svc taxii discover https://taxii.example.org/taxii2/')
    .command('discover <url>')
    .description('the collections at an address: of a server, an API root or a collection; stores nothing')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nCredentials are read from TAXII_AUTH.\n\nExamples:\n  svc taxii discover https://taxii.example.org/taxii2/\n  svc taxii discover https://taxii.example.org/root/ --json',
    )
    .action(async (url: string, { json }: { json?: boolean }) => {
      const description = await (await taxii()).discover(url, signal())
      const readable = description.roots.flatMap(({ collections }) => collections).filter(({ canRead }) => canRead)
      if (readable.length === 0) out.exitCode = EXIT_FAILED
      if (json === true) return out.json(toBody(description))
      describe(description, out)
      const [first] = readable
      if (first === undefined) out.note('There is no collection that may be read.')
      else out.note(toPrintable(`Register one: svc feeds add "${nameOf(first)}" ${first.url} --format taxii`))
    })
}

function describe({ title, description, roots, elsewhere }: TaxiiDescription, out: Output): void {
  for (const text of [title, description]) if (text !== '') out.note(toPrintable(text))
  for (const root of roots) {
    out.note(toPrintable(`API root ${root.url}${root.title === '' ? '' : ` - ${root.title}`}`))
    if (root.error !== null) out.note(toPrintable(`  its collections could not be read: ${root.error}`))
  }
  out.table(
    roots.flatMap(({ collections }) => collections),
    [
      { title: 'title', of: nameOf },
      { title: 'readable', of: ({ canRead }) => (canRead ? 'yes' : 'no') },
      { title: 'media_types', of: ({ mediaTypes }) => mediaTypes.join(',') },
      { title: 'address', of: ({ url }) => url },
    ],
  )
  for (const root of elsewhere) out.note(toPrintable(`Not asked, because it is on another host: ${root}`))
}

function nameOf({ title, id }: DescribedCollection): string {
  return title === '' ? id : title
}

/** Names as in the protocol. */
function toBody({ title, description, roots, elsewhere }: TaxiiDescription): Record<string, unknown> {
  return {
    title,
    description,
    api_roots: roots.map(({ collections, ...root }) => ({
      ...root,
      collections: collections.map(({ canRead, mediaTypes, ...collection }) => ({
        ...collection,
        can_read: canRead,
        media_types: mediaTypes,
      })),
    })),
    not_asked: elsewhere,
  }
}
