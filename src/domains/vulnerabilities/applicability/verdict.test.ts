import { describe, expect, test } from 'vitest'
import type { AssetFacts } from '../vulnerabilities.model.ts'
import { toAffected } from './cna-affected.ts'
import { toConfigurations } from './configurations.ts'
import { judge } from './verdict.ts'

type Row = { cpe: string; vulnerable?: boolean; [bound: string]: unknown }
type Node = { rows: Row[]; operator?: string; negate?: boolean }

/** `a:acme:mail:1.0:rc1:…` as a whole CPE name. */
function cpe(short: string): string {
  const values = short.split(':')
  return `cpe:2.3:${[...values, ...Array<string>(11 - values.length).fill('*')].join(':')}`
}
function configuration(nodes: Node[], operator?: string, negate?: boolean): unknown {
  return {
    operator,
    negate,
    nodes: nodes.map((node) => ({
      operator: node.operator ?? 'OR',
      negate: node.negate,
      cpeMatch: node.rows.map(({ cpe: short, vulnerable = true, ...bounds }) => ({ criteria: cpe(short), vulnerable, ...bounds })),
    })),
  }
}
const on = (...names: string[]): Node => ({ rows: names.map((name) => ({ cpe: name, vulnerable: false })) })
const MAIL: Node = { rows: [{ cpe: 'a:acme:mail', versionEndExcluding: '2.0' }] }

function ask(configurations: unknown[], asset: Partial<AssetFacts>, rest: { affected?: unknown; description?: string } = {}) {
  const facts = {
    configurations: toConfigurations(configurations),
    affected: toAffected(rest.affected),
    description: rest.description ?? '',
  }
  return judge({ product: 'Mail', vendor: 'Acme', version: '1.5', ...asset }, facts)
}

const onWindows = [configuration([MAIL, on('o:microsoft:windows:-')], 'AND')]
const onDebian = [configuration([on('o:debian:debian_linux:10.0', 'o:canonical:ubuntu_linux:20.04'), MAIL], 'AND')]
const onKernel = [configuration([MAIL, on('o:linux:linux_kernel:-')], 'AND')]
const onJdk = [configuration([MAIL, { rows: [{ cpe: 'a:oracle:jdk', vulnerable: false, versionStartIncluding: '9' }] }], 'AND')]
const ofEdition = [configuration([{ rows: [{ cpe: 'a:acme:mail:*:*:*:*:enterprise', versionEndExcluding: '2.0' }] }])]
const forWindows = [configuration([{ rows: [{ cpe: 'a:acme:mail:*:*:*:*:*:windows', versionEndExcluding: '2.0' }] }])]
const forWordpress = [configuration([{ rows: [{ cpe: 'a:acme:mail:*:*:*:*:*:wordpress', versionEndExcluding: '2.0' }] }])]
const router = [configuration([{ rows: [{ cpe: 'o:acme:rx-5_firmware', versionEndExcluding: '2.0' }] }, on('h:acme:rx-5:-')], 'AND')]
const blade = [
  configuration(
    [{ rows: [{ cpe: 'o:acme:blade_os', versionEndExcluding: '2.0' }] }, on('h:acme:blade_b200_m5:-', 'h:acme:blade_b200_m6:-')],
    'AND',
  ),
]
const bothInOneNode = [
  configuration([
    {
      operator: 'AND',
      rows: [
        { cpe: 'a:acme:mail', versionEndExcluding: '2.0' },
        { cpe: 'o:microsoft:windows:-', vulnerable: false },
      ],
    },
  ]),
]
const notWindows = [configuration([MAIL, { ...on('o:microsoft:windows:-'), negate: true }], 'AND')]
const denied = [configuration([MAIL], 'OR', true)]
const twoRows = [configuration([MAIL, on('o:microsoft:windows:-')], 'AND'), configuration([{ rows: [{ cpe: 'a:acme:mail:1.5' }] }])]
const browser = [configuration([MAIL, on('a:microsoft:internet_explorer:11')], 'AND')]
const sles = [configuration([MAIL, on('o:suse:linux_enterprise_server:15:sp3')], 'AND')]
const kernelRange = [
  configuration([MAIL, { rows: [{ cpe: 'o:linux:linux_kernel', vulnerable: false, versionEndExcluding: '5.4' }] }], 'AND'),
]
const appliance = [configuration([MAIL, on('o:qnap:qts:-')], 'AND')]

// biome-ignore format: one case per line
describe('a verdict', () => {
  test.each([
    { title: 'a version below the bound is vulnerable',                    of: [configuration([MAIL])], asset: {},                                   want: 'VULNERABLE' },
    { title: 'the bound itself is not',                                    of: [configuration([MAIL])], asset: { version: '2.0' },                   want: 'NONE' },
    { title: 'another product is not',                                     of: [configuration([MAIL])], asset: { product: 'Mail Gateway' },          want: 'NONE' },
    { title: 'another vendor is not',                                      of: [configuration([MAIL])], asset: { vendor: 'Other' },                  want: 'NONE' },
    { title: 'a bounded range needs a version',                            of: [configuration([MAIL])], asset: { version: undefined },               want: 'NONE' },
    { title: 'all versions need none',                                     of: [configuration([{ rows: [{ cpe: 'a:acme:mail:-' }] }])], asset: { version: undefined }, want: 'VULNERABLE' },
    { title: 'a row that is not vulnerable makes no verdict',              of: [configuration([on('a:acme:mail')])], asset: {},                      want: 'NONE' },

    { title: 'the platform it needs',                                      of: onWindows,     asset: { platform: 'Windows 11' },                     want: 'VULNERABLE' },
    { title: 'another platform than it needs',                             of: onWindows,     asset: { platform: 'Debian 12' },                      want: 'OUTSIDE_PLATFORM' },
    { title: 'a platform that is not declared',                            of: onWindows,     asset: {},                                             want: 'CONDITIONAL' },
    { title: 'a platform that names no system',                            of: onWindows,     asset: { platform: 'Rack 4' },                         want: 'CONDITIONAL' },
    { title: 'the platform may come first',                                of: onDebian,      asset: { platform: 'Debian 10' },                      want: 'VULNERABLE' },
    { title: 'a point release is of its release',                          of: onDebian,      asset: { platform: 'Debian 10.9' },                    want: 'VULNERABLE' },
    { title: 'another release of the distribution',                        of: onDebian,      asset: { platform: 'Debian 11' },                      want: 'OUTSIDE_PLATFORM' },
    { title: 'the second distribution with a point release',               of: onDebian,      asset: { platform: 'Ubuntu 20.04.3 LTS' },             want: 'VULNERABLE' },
    { title: 'another distribution',                                       of: onDebian,      asset: { platform: 'Alpine Linux 3.15' },              want: 'OUTSIDE_PLATFORM' },
    { title: 'a distribution that is not declared',                        of: onDebian,      asset: { platform: 'Linux' },                          want: 'CONDITIONAL' },
    { title: 'a release that is not declared',                             of: onDebian,      asset: { platform: 'Debian' },                         want: 'CONDITIONAL' },
    { title: 'a service pack that is not declared',                        of: sles,          asset: { platform: 'SLES 15' },                        want: 'CONDITIONAL' },
    { title: 'the service pack it needs',                                  of: sles,          asset: { platform: 'SLES 15 SP3' },                    want: 'VULNERABLE' },
    { title: 'another service pack',                                       of: sles,          asset: { platform: 'SLES 15 SP2' },                    want: 'OUTSIDE_PLATFORM' },
    { title: 'any Linux holds for each distribution',                      of: onKernel,      asset: { platform: 'Fedora 41' },                      want: 'VULNERABLE' },
    { title: 'any Linux does not hold for Windows',                        of: onKernel,      asset: { platform: 'Windows 10' },                     want: 'OUTSIDE_PLATFORM' },
    { title: 'a kernel range is not known from the distribution',          of: kernelRange,   asset: { platform: 'Fedora 41' },                      want: 'CONDITIONAL' },
    { title: 'and is known from the kernel',                               of: kernelRange,   asset: { platform: 'Linux 5.3' },                      want: 'VULNERABLE' },
    { title: 'a newer kernel is outside',                                  of: kernelRange,   asset: { platform: 'Linux 5.10' },                     want: 'OUTSIDE_PLATFORM' },
    { title: 'an appliance system on a general one is outside',            of: appliance,     asset: { platform: 'Debian 12' },                      want: 'OUTSIDE_PLATFORM' },
    { title: 'an appliance system that is named',                          of: appliance,     asset: { platform: 'QNAP QTS 5' },                     want: 'VULNERABLE' },

    { title: 'a program beside it cannot be known from the system',        of: onJdk,         asset: { platform: 'Linux' },                          want: 'CONDITIONAL' },
    { title: 'a program that is named',                                    of: onJdk,         asset: { platform: 'JDK 11 on Debian 12' },            want: 'VULNERABLE' },
    { title: 'a program that is named without a version',                  of: onJdk,         asset: { platform: 'Debian 12 with JDK' },             want: 'VULNERABLE' },
    { title: 'a program of another version',                               of: onJdk,         asset: { platform: 'JDK 8 on Debian 12' },             want: 'OUTSIDE_PLATFORM' },
    { title: 'Internet Explorer implies Windows',                          of: browser,       asset: { platform: 'Debian 12' },                      want: 'OUTSIDE_PLATFORM' },
    { title: 'and Windows does not imply it',                              of: browser,       asset: { platform: 'Windows 10' },                     want: 'CONDITIONAL' },

    { title: 'firmware runs on its own model',                             of: router,        asset: { product: 'RX-5' },                            want: 'VULNERABLE' },
    { title: 'a system on several models needs the model',                 of: blade,         asset: { product: 'Blade OS' },                        want: 'CONDITIONAL' },
    { title: 'a model in the platform',                                    of: blade,         asset: { product: 'Blade OS', platform: 'Blade B200 M6' }, want: 'VULNERABLE' },
    { title: 'another model stays open, for nobody lists all',             of: blade,         asset: { product: 'Blade OS', platform: 'Blade B480 M5' }, want: 'CONDITIONAL' },

    { title: 'an edition that nobody named',                               of: ofEdition,     asset: {},                                             want: 'CONDITIONAL' },
    { title: 'an edition in the version',                                  of: ofEdition,     asset: { version: '1.5 Enterprise' },                  want: 'VULNERABLE' },
    { title: 'a target system that is the platform',                       of: forWindows,    asset: { platform: 'Windows 10' },                     want: 'VULNERABLE' },
    { title: 'a target system that is not',                                of: forWindows,    asset: { platform: 'macOS 14' },                       want: 'OUTSIDE_PLATFORM' },
    { title: 'a target system without a platform',                         of: forWindows,    asset: {},                                             want: 'CONDITIONAL' },
    { title: 'an ecosystem is the product itself',                         of: forWordpress,  asset: {},                                             want: 'VULNERABLE' },

    { title: 'AND inside a node',                                          of: bothInOneNode, asset: { platform: 'Windows 10' },                     want: 'VULNERABLE' },
    { title: 'AND inside a node on another platform',                      of: bothInOneNode, asset: { platform: 'Debian 12' },                      want: 'OUTSIDE_PLATFORM' },
    { title: 'a negated node on its platform',                             of: notWindows,    asset: { platform: 'Windows 10' },                     want: 'OUTSIDE_PLATFORM' },
    { title: 'a negated node on another',                                  of: notWindows,    asset: { platform: 'Debian 12' },                      want: 'VULNERABLE' },
    { title: 'a negated node without a platform',                          of: notWindows,    asset: {},                                             want: 'CONDITIONAL' },
    { title: 'a negated configuration',                                    of: denied,        asset: {},                                             want: 'OUTSIDE_PLATFORM' },
    { title: 'the worst of several configurations counts',                 of: twoRows,       asset: { platform: 'Debian 12' },                      want: 'VULNERABLE' },
  ])('$title', ({ of, asset, want }) => expect(ask(of, asset).verdict).toBe(want))
})

// biome-ignore format: one case per line
describe('a platform that the description alone names', () => {
  const plain = [configuration([MAIL])]
  const system = [configuration([{ rows: [{ cpe: 'o:acme:mail', versionEndExcluding: '2.0' }] }])]
  test.each([
    { title: 'another platform makes it conditional',          of: plain,        asset: { platform: 'Debian 12' },  description: 'when used on Windows, it',       want: 'CONDITIONAL' },
    { title: 'the platform itself does not',                   of: plain,        asset: { platform: 'Windows 11' }, description: 'when used on Windows, it',       want: 'VULNERABLE' },
    { title: 'two systems are no hint',                        of: plain,        asset: { platform: 'Debian 12' },  description: 'on Windows and on Linux',        want: 'VULNERABLE' },
    { title: 'a stated platform needs no hint',                of: onKernel,     asset: { platform: 'Debian 12' },  description: 'when used on Windows, it',       want: 'VULNERABLE' },
    { title: 'an ecosystem needs no hint',                     of: forWordpress, asset: { platform: 'Debian 12' },  description: 'when used on Windows, it',       want: 'VULNERABLE' },
    { title: 'a system needs no hint',                         of: system,       asset: { platform: 'Debian 12' },  description: 'when used on Windows, it',       want: 'VULNERABLE' },
  ])('$title', ({ of, asset, description, want }) => expect(ask(of, asset, { description }).verdict).toBe(want))
})

// biome-ignore format: one case per line
describe('what the author of the CVE says', () => {
  const affected = [{ affectedData: [{ vendor: 'Acme', product: 'Mail', versions: [{ version: '0', lessThan: '2.0', status: 'affected' }] }] }]
  const onlyMac = [{ affectedData: [{ vendor: 'Acme', product: 'Mail', platforms: ['macOS', '64 bit'], defaultStatus: 'affected' }] }]
  const packaged = [{ affectedData: [{ vendor: 'Red Hat', product: 'Red Hat Enterprise Linux 8', packageName: 'mail', defaultStatus: 'affected' }] }]
  const other = [configuration([{ rows: [{ cpe: 'a:acme:web' }] }])]
  test.each([
    { title: 'decides without configurations',                  of: [],        affected, asset: {},                                              want: 'VULNERABLE' },
    { title: 'decides where no configuration names the product', of: other,    affected, asset: {},                                              want: 'VULNERABLE' },
    { title: 'does not overrule a configuration',               of: [configuration([MAIL])], affected: [{ affectedData: [{ vendor: 'Acme', product: 'Mail', defaultStatus: 'affected' }] }], asset: { version: '3' }, want: 'NONE' },
    { title: 'ends at its bound',                               of: [],        affected, asset: { version: '2.0' },                              want: 'NONE' },
    { title: 'needs a version as well',                         of: [],        affected, asset: { version: undefined },                          want: 'NONE' },
    { title: 'its platforms count',                             of: [],        affected: onlyMac, asset: { platform: 'Windows 10' },             want: 'OUTSIDE_PLATFORM' },
    { title: 'its platforms may be open',                       of: [],        affected: onlyMac, asset: {},                                     want: 'CONDITIONAL' },
    { title: 'a package counts on its distribution',            of: [],        affected: packaged, asset: { platform: 'RHEL 8.4' },              want: 'VULNERABLE' },
    { title: 'and not on another',                              of: [],        affected: packaged, asset: { platform: 'Debian 12' },             want: 'OUTSIDE_PLATFORM' },
    { title: 'nor on another release',                          of: [],        affected: packaged, asset: { platform: 'RHEL 9' },                want: 'OUTSIDE_PLATFORM' },
  ])('$title', ({ of, affected, asset, want }) => {
    const answer = ask(of, asset, { affected })
    expect(answer.verdict).toBe(want)
  })
})

describe('the explanation', () => {
  test('names the configuration, the bounds and what is missing', () => {
    const answer = ask(onJdk, { platform: 'Linux' })
    expect(answer).toMatchObject({
      source: 'NVD',
      configuration: 1,
      criteria: cpe('a:acme:mail'),
      range: 'below 2.0',
      missing: ['oracle jdk from 9'],
    })
    expect(answer.explanation).toBe(
      `Configuration 1 names ${cpe('a:acme:mail')}, below 2.0; 1.5 is among them. It must also be or run on oracle jdk from 9. The platform is Linux, which does not say.`,
    )
  })
  test('names what is denied', () => {
    expect(ask(onWindows, { platform: 'Debian 12' }).explanation).toContain(
      'It must also run on microsoft windows. The platform is Debian 12.',
    )
  })
  test('names the bound that a version breaks', () => {
    expect(ask([configuration([MAIL])], { version: '2.0' }).explanation).toBe(
      '2.0 of Mail is not vulnerable. Vulnerable are: below 2.0. Of these, it is not below 2.0.',
    )
  })
  test('says that the version is missing', () => {
    expect(ask([configuration([MAIL])], { version: undefined })).toMatchObject({ verdict: 'NONE', missing: ['the version'] })
  })
  test('says that the product is not named', () => {
    expect(ask([configuration([MAIL])], { product: 'Other' })).toMatchObject({
      source: null,
      explanation: 'The CVE does not name Other as vulnerable.',
    })
  })
  test('says who said it', () => {
    const affected = [{ affectedData: [{ vendor: 'Acme', product: 'Mail', defaultStatus: 'affected' }] }]
    expect(ask([], {}, { affected })).toMatchObject({ source: 'CNA', configuration: null, criteria: 'Acme Mail' })
  })
})

test('a hostile record of thousands of rows beside thousands is judged once each', () => {
  const many = (vulnerable: boolean, name: string) => ({ rows: Array.from({ length: 20_000 }, () => ({ cpe: name, vulnerable })) })
  const nodes = [many(true, 'a:acme:mail'), { ...many(false, 'o:microsoft:windows'), operator: 'AND' }]
  expect(ask([configuration(nodes, 'AND')], { platform: 'Windows 10' }).verdict).toBe('VULNERABLE')
  const inOneNode = { operator: 'AND', rows: [...many(true, 'a:acme:mail').rows, ...many(false, 'o:microsoft:windows').rows] }
  expect(ask([configuration([inOneNode])], { platform: 'Windows 10' }).verdict).toBe('VULNERABLE')
})
