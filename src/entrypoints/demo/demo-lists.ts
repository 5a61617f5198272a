import { createHash } from 'node:crypto'
import { pick, seeded } from './seeded.ts'

/** Days that the demo tells of. */
export const DEMO_DAYS = 30

/** A made-up publisher, and what it lists on each day. Every name says that it is none of the real ones. */
export type DemoFeed = {
  name: string
  url: string
  feed_type: string
  reliability: 'A' | 'B' | 'C' | 'D'
  /** The list of a day, counted from 0. */
  listOn(day: number): string
}

// Names and addresses that are kept for documentation: nobody runs them. Source: RFC 2606, RFC 5737, RFC 3849.
const ZONES = ['example.com', 'example.net', 'example.org'] as const
const BLOCKS = ['192.0.2', '198.51.100', '203.0.113'] as const
const ACTS = ['secure', 'login', 'update', 'invoice', 'parcel', 'wallet', 'webmail', 'vpn', 'cdn', 'support', 'billing', 'docs'] as const
const VICTIMS = ['northbank', 'citypost', 'harbourmail', 'quickpay', 'clinicnet', 'railpass', 'gridworks', 'townhall'] as const
const FAMILIES = ['BrassOwl', 'TinLantern', 'PaperHeron', 'CoalSparrow', 'GlassOtter'] as const

/** What stays for the whole month stays on its last day, too. */
const STAYS = DEMO_DAYS + 1

/** A value with the days on which it stands on its list: most come and go, as on real lists. */
type Listed = { value: string; from: number; to: number; family: string }

/** @param share how many of the values stay for the whole month, 0 to 1 */
function lives(random: () => number, share: number): { from: number; to: number } {
  if (random() < share) return { from: 0, to: STAYS }
  const from = Math.floor(random() * DEMO_DAYS)
  return { from, to: from + 2 + Math.floor(random() * 14) }
}

function names(seed: number, count: number, share: number): Listed[] {
  const random = seeded(seed)
  return Array.from({ length: count }, (_, n) => ({
    value: `${pick(random, ACTS)}-${n.toString(36)}.${pick(random, VICTIMS)}.${pick(random, ZONES)}`,
    family: pick(random, FAMILIES),
    ...lives(random, share),
  }))
}

function addresses(seed: number, count: number, share: number): Listed[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => ({
    value: `${pick(random, BLOCKS)}.${1 + Math.floor(random() * 254)}`,
    family: pick(random, FAMILIES),
    ...lives(random, share),
  }))
}

function urls(seed: number, count: number): Listed[] {
  const random = seeded(seed)
  return names(seed, count, 0.2).map((one) => ({
    ...one,
    value: `https://${one.value}/${pick(random, ['account', 'verify', 'pay', 'reset'])}/${Math.floor(random() * 9999)}`,
  }))
}

function hashes(seed: number, count: number): Listed[] {
  const random = seeded(seed)
  return Array.from({ length: count }, (_, n) => ({
    value: createHash('sha256').update(`demo ${seed} ${n}`).digest('hex'),
    family: pick(random, FAMILIES),
    from: Math.floor(random() * DEMO_DAYS),
    to: STAYS,
  }))
}

const on = (listed: readonly Listed[], day: number) => listed.filter(({ from, to }) => from <= day && day < to)
const asPlainList = (listed: readonly Listed[]) => (day: number) =>
  `# made up for a demonstration\n${on(listed, day)
    .map(({ value }) => value)
    .join('\n')}\n`
const asTable = (listed: readonly Listed[]) => (day: number) =>
  `value,tags,severity\n${on(listed, day)
    .map(({ value, family }, n) => `${value},family:${family},${n % 5 === 0 ? 'critical' : 'high'}`)
    .join('\n')}\n`

const phishing = names(11, 900, 0.1)
const controllers = [...names(12, 160, 0.4), ...addresses(13, 180, 0.4)]
// What several publishers see is worth more than what one sees.
const shared = [...controllers.slice(0, 60), ...controllers.slice(-60)]

export const DEMO_FEEDS: readonly DemoFeed[] = [
  {
    name: 'Lighthouse controllers (demo)',
    url: 'https://lists.example.org/lighthouse.csv',
    feed_type: 'c2',
    reliability: 'A',
    listOn: asTable(controllers),
  },
  {
    name: 'Quarry malware (demo)',
    url: 'https://lists.example.org/quarry.csv',
    feed_type: 'malware',
    reliability: 'B',
    listOn: asTable([...hashes(14, 700), ...shared]),
  },
  {
    name: 'Harbour phishing (demo)',
    url: 'https://lists.example.org/harbour.txt',
    feed_type: 'phishing',
    reliability: 'B',
    listOn: asPlainList([...phishing, ...urls(15, 500)]),
  },
  {
    name: 'Meadow scanners (demo)',
    url: 'https://lists.example.org/meadow.txt',
    feed_type: 'scanner',
    reliability: 'D',
    // Some rows are damaged, as on real lists: a run has something to tell.
    listOn: (day) => `${asPlainList(addresses(16, 420, 0.3))(day)}not an address\n192.0.2.999\n`,
  },
]

/** A handful of what the lists hold, for analysts to hand in and incidents to be about. */
export const DEMO_VALUES: readonly string[] = shared.filter(({ to }) => to === STAYS).map(({ value }) => value)
