import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Names as malware domains look: two or three labels of 4 to 20 letters and digits under common endings. */
const ENDINGS = ['com', 'net', 'org', 'info', 'ru', 'cn', 'top', 'xyz', 'biz', 'co.uk', 'com.br', 'club', 'online', 'site', 'pw']
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789-'

/** A small seeded generator (mulberry32), so that every run of a benchmark sees the same list. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** `count` different domains, sorted as most published lists are. */
export function domainList(count: number, seed = 1): string[] {
  const next = random(seed)
  const names = new Set<string>()
  const label = () => {
    const length = 4 + Math.floor(next() * 16)
    let text = ''
    for (let at = 0; at < length; at++) text += LETTERS[Math.floor(next() * (at === 0 || at === length - 1 ? 36 : 37))]
    return text
  }
  while (names.size < count) {
    const ending = ENDINGS[Math.floor(next() * ENDINGS.length)] ?? 'com'
    names.add(`${next() < 0.2 ? `${label()}.` : ''}${label()}.${ending}`)
  }
  return [...names].sort()
}

/** `count` different IPv4 ranges from /17 to /28, in global space. */
export function rangeList(count: number, seed = 2): string[] {
  const next = random(seed)
  const ranges = new Set<string>()
  while (ranges.size < count) {
    const length = 20 + Math.floor(next() * 9)
    const address = ((11 + Math.floor(next() * 80)) * 2 ** 24 + Math.floor(next() * 2 ** 24)) & (-1 << (32 - length))
    const octets = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255)
    ranges.add(`${octets.join('.')}/${length}`)
  }
  return [...ranges]
}

/** A STIX bundle with one indicator for each name, as public feeds write them: labels, dates, a short description. */
export function bundleOf(names: readonly string[]): string {
  const objects = names.map((name, n) => {
    const day = `2026-${String(1 + (n % 6)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}T08:00:00.000Z`
    return JSON.stringify({
      type: 'indicator',
      spec_version: '2.1',
      id: `indicator--00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
      created: day,
      modified: day,
      description: `Reported as a host of family ${n % 40}`,
      indicator_types: ['malicious-activity'],
      labels: [`family-${n % 40}`],
      pattern: `[domain-name:value = '${name}']`,
      pattern_type: 'stix',
      valid_from: day,
    })
  })
  return `{"type":"bundle","id":"bundle--00000000-0000-4000-8000-000000000000","objects":[${objects.join(',\n')}]}`
}

/** The list to measure with: a file of one value a line (`--data <file>`), or a generated one. */
export function listToMeasure(count: number): string[] {
  const { values } = parseArgs({ options: { data: { type: 'string' } }, allowPositionals: true })
  if (values.data === undefined) return domainList(count)
  return readFileSync(values.data, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}

/** The same list with every hundredth value replaced by a new one. */
export function withChurn(list: readonly string[], round: number): string[] {
  return list.map((value, at) => (at % 100 === round % 100 ? `churn-${round}-${at}.example.com` : value))
}
