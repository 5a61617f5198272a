import { expect, test } from 'vitest'
import { toCveRecord } from './nvd-record.ts'
import { addToBatch, changesOf, clearBatch, namedPairs, newBatch, type StagedBatch } from './staged-batch.ts'

const ID = 'CVE-2031-0001'
const day = (number: number) => new Date(Date.UTC(2031, 0, number))
const MAIL = { vulnerable: true, criteria: 'cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*' }
const WEB = { vulnerable: true, criteria: 'cpe:2.3:a:acme:web:*:*:*:*:*:*:*:*' }

function add(batch: StagedBatch, { on = 2, text = 'A flaw.', status = 'Analyzed', products = [MAIL] }): void {
  const record = toCveRecord({
    id: ID,
    published: day(1).toISOString(),
    lastModified: day(on).toISOString(),
    vulnStatus: status,
    descriptions: [{ lang: 'en', value: text }],
    configurations: [{ nodes: [{ cpeMatch: products }] }],
  })
  if (record.kind === 'refused') throw new Error(record.reason)
  addToBatch(batch, record)
}
function batchOf(...given: Parameters<typeof add>[1][]): StagedBatch {
  const batch = newBatch()
  for (const one of given) add(batch, one)
  return batch
}
const digestOf = (text: string) => batchOf({ text }).cves.get(ID)?.row?.digest ?? ''

// biome-ignore format: one case per line
test.each([
  { name: 'is new',                       batch: {},                                want: { added: 1 } },
  { name: 'is new and not wanted',        batch: {},               onlyKnown: true, want: { unchanged: 1 } },
  { name: 'says something else',          batch: { text: 'More.' }, known: 1,       want: { changed: 1 } },
  { name: 'says something else, stamped alike', batch: { text: 'More.' }, known: 2, want: { changed: 1 } },
  { name: 'is older and says something else', batch: { text: 'More.' }, known: 3,   want: { unchanged: 1 } },
  { name: 'was only stamped anew',        batch: {},               known: 1,        want: { unchanged: 1 } },
  { name: 'is withdrawn',                 batch: { status: 'Rejected' }, known: 1,  want: { withdrawn: 1 } },
  { name: 'was withdrawn before the last change', batch: { status: 'Rejected' }, known: 3, want: {} },
  { name: 'is withdrawn and not known',   batch: { status: 'Rejected' },            want: {} },
])('a record that $name', ({ batch, known, onlyKnown = false, want }) => {
  const stored = known === undefined ? new Map() : new Map([[ID, { last_modified: day(known), digest: digestOf('A flaw.') }]])
  const { added, changed, withdrawn, unchanged } = changesOf(batchOf(batch), stored, { onlyKnown })
  expect({ added: added.length, changed: changed.length, withdrawn: withdrawn.length, unchanged }).toEqual({
    added: 0,
    changed: 0,
    withdrawn: 0,
    unchanged: 0,
    ...want,
  })
})

test('of a CVE that comes twice the one counts that was changed last, or came last', () => {
  const lastOf = (...given: Parameters<typeof add>[1][]) => batchOf(...given).cves.get(ID)?.row?.digest
  expect(lastOf({ on: 3, text: 'new' }, { on: 2, text: 'old' })).toBe(digestOf('new'))
  expect(lastOf({ on: 2, text: 'old' }, { on: 3, text: 'new' })).toBe(digestOf('new'))
  expect(lastOf({ text: 'first' }, { text: 'second' })).toBe(digestOf('second'))
  expect(lastOf({ on: 2 }, { on: 3, status: 'Rejected' })).toBeUndefined()
})

test('products are given once, those that were met before not at all, and each CVE names all of its own by their ids', () => {
  const batch = newBatch(new Map([['acme:mail', { id: 7 }]]))
  add(batch, { products: [MAIL, WEB, WEB] })
  expect([...batch.products]).toEqual([['acme:web', {}]])
  const { added } = changesOf(batch, new Map(), { onlyKnown: false })
  expect(() => namedPairs(added)).toThrow('not stored')
  for (const product of batch.products.values()) product.id = 3
  expect(namedPairs(added)).toEqual([
    { productId: 3, cveId: ID },
    { productId: 7, cveId: ID },
  ])
})

test('a batch that was cleared is empty', () => {
  const batch = batchOf({})
  clearBatch(batch)
  expect([batch.rows.length, batch.cves.size, batch.products.size]).toEqual([0, 0, 0])
})
