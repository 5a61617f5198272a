import { describe, expect, test } from 'vitest'
import { type AffectedVersion, concernOf, rowInWords, statusOf, toAffected } from './cna-affected.ts'

const MAIL = { vendor: 'Acme', product: 'Mail' }

function statusAt(rows: Partial<AffectedVersion>[], version: string | undefined, defaultStatus = 'unaffected') {
  const [stated] = toAffected([
    { affectedData: [{ ...MAIL, defaultStatus, versions: rows.map((row) => ({ status: 'affected', ...row })) }] },
  ])
  return stated === undefined ? undefined : statusOf(stated, version).status
}

// biome-ignore format: one case per line
describe('the status of a version', () => {
  test.each([
    { title: 'inside a range',                                      rows: [{ version: '2.0', lessThan: '2.5' }],               version: '2.4',   want: 'affected' },
    { title: 'the end of a range is outside',                       rows: [{ version: '2.0', lessThan: '2.5' }],               version: '2.5',   want: 'unaffected' },
    { title: 'an included end is inside',                           rows: [{ version: '2.0', lessThanOrEqual: '2.5' }],        version: '2.5',   want: 'affected' },
    { title: 'zero is from the start',                              rows: [{ version: '0', lessThan: '2.5' }],                 version: '0.0.1', want: 'affected' },
    { title: 'unspecified is from the start',                       rows: [{ version: 'unspecified', lessThan: '2.5' }],       version: '0.0.1', want: 'affected' },
    { title: 'a star has no end',                                   rows: [{ version: '2.0', lessThan: '*' }],                 version: '999',   want: 'affected' },
    { title: 'nor has a name with a star',                          rows: [{ version: '2.0', lessThan: 'mail4-core*' }],       version: '999',   want: 'affected' },
    { title: 'a number with a star ends with it',                   rows: [{ version: '2.0', lessThanOrEqual: '2.*' }],        version: '3.0',   want: 'unaffected' },
    { title: 'and holds all of it',                                 rows: [{ version: '2.0', lessThanOrEqual: '2.*' }],        version: '2.99',  want: 'affected' },
    { title: 'one version alone',                                   rows: [{ version: '5.6.1' }],                              version: '5.6.1', want: 'affected' },
    { title: 'and no other',                                        rows: [{ version: '5.6.1' }],                              version: '5.6.2', want: 'unaffected' },
    { title: 'the first row that fits counts',                      rows: [{ version: '2.1', status: 'unaffected' }, { version: '0', lessThan: '3' }], version: '2.1', want: 'unaffected' },
    { title: 'a comparison as a version',                           rows: [{ version: '< 4.17.21' }],                          version: '4.17.20', want: 'affected' },
    { title: 'two comparisons as a version',                        rows: [{ version: '>= 1.0, < 1.2.3' }],                    version: '0.9',   want: 'unaffected' },
    { title: 'a comparison that includes its end',                  rows: [{ version: '<= 3.1' }],                             version: '3.1',   want: 'affected' },
    { title: '"before" as a version',                               rows: [{ version: 'before 2.0' }],                         version: '2.0',   want: 'unaffected' },
    { title: '"and earlier" as a version',                          rows: [{ version: '2.0 and earlier' }],                    version: '1.0',   want: 'affected' },
    { title: 'all versions',                                        rows: [{ version: 'All versions' }],                       version: '7',     want: 'affected' },
    { title: 'all versions need no version',                        rows: [{ version: '*' }],                                  version: undefined, want: 'affected' },
    { title: 'a range needs one',                                   rows: [{ version: '0', lessThan: '2' }],                   version: undefined, want: 'unknown' },
  ] as const)('$title', ({ rows, version, want }) => expect(statusAt([...rows], version)).toBe(want))

  test('a range may end and begin again', () => {
    const row = { version: '2.0-beta9', lessThan: '*', changes: [{ at: '2.3.1', status: 'unaffected' }, { at: '2.4', status: 'affected' }, { at: '2.15.0', status: 'unaffected' }] } as const
    const rows = [{ ...row, changes: [...row.changes] }]
    expect(['2.0-alpha1', '2.1', '2.3.1', '2.4', '2.14.1', '2.15.0', '3'].map((version) => statusAt(rows, version))).toEqual([
      'unaffected', 'affected', 'unaffected', 'affected', 'affected', 'unaffected', 'unaffected',
    ])
    expect(rowInWords(rows[0] as AffectedVersion)).toBe('from 2.0-beta9 and unaffected from 2.3.1 and affected again from 2.4 and unaffected from 2.15.0')
  })

  test('the default counts where no row does, and is unknown when it is not stated', () => {
    expect(statusAt([{ version: '5.6.1', status: 'unaffected' }], '5.6.0', 'affected')).toBe('affected')
    expect(statusOf(toAffected([{ affectedData: [MAIL] }])[0] ?? fail(), '1').status).toBe('unknown')
  })
})

// biome-ignore format: one case per line
describe('whom a statement concerns', () => {
  test.each([
    { title: 'the product',                                stated: { vendor: 'Acme Inc.', product: 'Acme Mail' },                    asset: MAIL,                         want: { kind: 'product' } },
    { title: 'a package in its group',                     stated: { vendor: 'Acme', product: 'Acme Suite', packageName: 'com.acme:mail' }, asset: MAIL,                  want: { kind: 'package', distribution: undefined } },
    { title: 'a package without a product',                stated: { packageName: 'mail' },                                          asset: MAIL,                         want: { kind: 'package', distribution: undefined } },
    { title: 'a package of a distribution',                stated: { vendor: 'Red Hat', product: 'Red Hat Enterprise Linux 9', packageName: 'mail' }, asset: MAIL,         want: { kind: 'package', distribution: 'Red Hat Enterprise Linux 9' } },
    { title: 'the distribution itself',                    stated: { vendor: 'Red Hat', product: 'Enterprise Linux', packageName: 'mail' }, asset: { product: 'RHEL' },   want: { kind: 'product' } },
    { title: 'neither its product nor its package',        stated: { vendor: 'Acme', product: 'Web', packageName: 'web-core' },      asset: MAIL,                         want: undefined },
    { title: 'the same name of another vendor',            stated: { vendor: 'Other', product: 'Mail' },                             asset: MAIL,                         want: undefined },
    { title: 'a vendor that is not stated',                stated: { vendor: 'n/a', product: 'Mail' },                               asset: MAIL,                         want: { kind: 'product' } },
  ])('$title', ({ stated, asset, want }) => expect(concernOf(toAffected([stated])[0] ?? fail(), asset)).toEqual(want))
})

test('what is not of the shape is left out, and unknown words are unknown', () => {
  const raw = [
    'x',
    null,
    {
      affectedData: [
        7,
        {},
        { product: 'Mail', vendor: 5, versions: ['1', { version: 3 }, { version: '1', status: 'odd', lessThan: 'n/a' }] },
      ],
    },
  ]
  expect(toAffected(raw)).toEqual([{ product: 'Mail', defaultStatus: 'unknown', versions: [{ version: '1', status: 'unknown' }] }])
  expect(toAffected('text')).toEqual([])
})

function fail(): never {
  throw new Error('The statement was left out.')
}
