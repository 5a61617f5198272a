import { MS_PER_DAY } from '#kernel/clock.ts'
import { DEMO_DAYS } from './demo-lists.ts'
import { pick, seeded } from './seeded.ts'

/** A year that no CVE has yet: whoever sees one of these ids knows that it is made up. */
const YEAR = 2099
const COUNT = 240
const PRODUCTS = ['gateway', 'mailroom', 'ledger', 'beacon', 'archive', 'courier', 'switchboard', 'portal'] as const
const VENDORS = ['acme', 'globex', 'initech', 'umbrella'] as const
type Flaw = { words: string; base: number; cwe: string }
const SEVERE: Flaw = { words: 'lets anybody run commands without logging in', base: 9.8, cwe: 'CWE-78' }
const FLAWS: readonly [Flaw, ...Flaw[]] = [
  SEVERE,
  { words: 'takes a crafted file for a part of itself', base: 8.8, cwe: 'CWE-434' },
  { words: 'reads beyond the end of a buffer', base: 7.5, cwe: 'CWE-125' },
  { words: 'shows what another user has typed', base: 6.1, cwe: 'CWE-79' },
  { words: 'lets a user of the machine become its administrator', base: 7.8, cwe: 'CWE-269' },
  { words: 'tells how long a name is', base: 4.3, cwe: 'CWE-200' },
]

/** A vulnerability that nobody has, and what becomes of it during the month. */
type Made = {
  id: string
  vendor: string
  product: string
  fixedIn: string
  flaw: Flaw
  /** Days before the first day of the demo. */
  age: number
  /** Chance of exploitation, 0 to 1, at the beginning; some rise on one day. */
  chance: number
  risesOn: number | undefined
  risesTo: number
  exploitedOn: number | undefined
  hasExploit: boolean
}

/** About one a day is taken up by attackers, and every fourth of these is seen in use. */
const isTakenUp = (n: number) => n % 7 === 0

const made: readonly Made[] = Array.from({ length: COUNT }, (_, n) => {
  const random = seeded(1000 + n)
  return {
    id: `CVE-${YEAR}-${String(10_001 + n)}`,
    vendor: pick(random, VENDORS),
    product: pick(random, PRODUCTS),
    fixedIn: `${1 + Math.floor(random() * 4)}.${Math.floor(random() * 9)}.${Math.floor(random() * 9)}`,
    flaw: isTakenUp(n) && n % 3 !== 0 ? SEVERE : pick(random, FLAWS),
    age: 5 + Math.floor(random() * 400),
    chance: random() ** 6,
    risesOn: isTakenUp(n) ? 1 + (n % DEMO_DAYS) : undefined,
    risesTo: 0.55 + 0.43 * random(),
    exploitedOn: n % 28 === 0 ? 2 + (((n / 28) * 3) % (DEMO_DAYS - 2)) : undefined,
    hasExploit: n % 3 === 0,
  }
})

const dayText = (date: Date) => date.toISOString().slice(0, 10)

/** The records as NVD's files hold them. @param start of the month */
export function demoRecords(start: Date): string {
  const vulnerabilities = made.map(({ id, vendor, product, fixedIn, flaw, age, hasExploit }) => {
    const published = new Date(start.getTime() - age * MS_PER_DAY).toISOString().slice(0, -1)
    const name = `${capital(vendor)} ${capital(product)}`
    return {
      cve: {
        id,
        vulnStatus: 'Analyzed',
        published,
        lastModified: published,
        descriptions: [{ lang: 'en', value: `${name} before ${fixedIn} ${flaw.words}. (Made up for a demonstration.)` }],
        metrics: {
          cvssMetricV31: [
            {
              source: 'nvd@nist.gov',
              type: 'Primary',
              cvssData: { baseScore: flaw.base, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
            },
          ],
        },
        weaknesses: [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: flaw.cwe }] }],
        references: [
          { url: `https://${vendor}.example.com/advisories/${id.toLowerCase()}`, source: 'demo', tags: ['Vendor Advisory', 'Patch'] },
          ...(hasExploit ? [{ url: `https://research.example.org/${id.toLowerCase()}`, source: 'demo', tags: ['Exploit'] }] : []),
        ],
        configurations: [
          {
            nodes: [
              {
                operator: 'OR',
                negate: false,
                cpeMatch: [{ vulnerable: true, criteria: `cpe:2.3:a:${vendor}:${product}:*:*:*:*:*:*:*:*`, versionEndExcluding: fixedIn }],
              },
            ],
          },
        ],
      },
    }
  })
  return JSON.stringify({
    ...{ resultsPerPage: COUNT, startIndex: 0, totalResults: COUNT, format: 'NVD_CVE', version: '2.0' },
    ...{ timestamp: start.toISOString().slice(0, -1), vulnerabilities },
  })
}

/** The scores of a day, as the daily file holds them. @param day from 0 */
export function demoScores(day: number, date: Date): string {
  const rows = made.map(({ id, chance, risesOn, risesTo }) => {
    const now = risesOn !== undefined && day >= risesOn ? Math.max(chance, risesTo) : chance
    return `${id},${now.toFixed(5)},${(0.3 + 0.7 * now ** 0.25).toFixed(5)}`
  })
  return `#model_version:demo,score_date:${dayText(date)}T00:00:00+0000\ncve,epss,percentile\n${rows.join('\n')}\n`
}

/** The catalogue of what is exploited on a day. */
export function demoCatalogue(day: number, date: Date): string {
  const vulnerabilities = made
    .filter(({ exploitedOn }) => exploitedOn !== undefined && exploitedOn <= day)
    .map(({ id, vendor, product, flaw, exploitedOn = 0 }) => {
      const added = new Date(date.getTime() - (day - exploitedOn) * MS_PER_DAY)
      return {
        cveID: id,
        vendorProject: capital(vendor),
        product: capital(product),
        vulnerabilityName: `${capital(vendor)} ${capital(product)} ${flaw.words}`,
        dateAdded: dayText(added),
        shortDescription: flaw.words,
        requiredAction: 'Apply the update of the vendor.',
        dueDate: dayText(new Date(added.getTime() + 14 * MS_PER_DAY)),
        knownRansomwareCampaignUse: exploitedOn % 2 === 0 ? 'Known' : 'Unknown',
        notes: '',
      }
    })
  return JSON.stringify({
    title: 'Made up for a demonstration',
    catalogVersion: dayText(date).replaceAll('-', '.'),
    dateReleased: date.toISOString(),
    count: vulnerabilities.length,
    vulnerabilities,
  })
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
