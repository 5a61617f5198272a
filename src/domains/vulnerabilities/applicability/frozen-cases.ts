import { toAffected } from './cna-affected.ts'
import { toConfigurations } from './configurations.ts'
import type { EvaluationCase } from './evaluate.ts'
import type { CveFacts } from './verdict.ts'

// Questions with known answers about products that do not exist, one for each thing that published records do: ranges, updates, letters,
// platforms first and last, releases, hardware, programs beside, editions, hints in the text, statements of the author.

const row = (criteria: string, vulnerable = true, bounds: Record<string, string> = {}) => ({ criteria, vulnerable, ...bounds })
const node = (...cpeMatch: object[]) => ({ operator: 'OR', cpeMatch })
const facts = (configurations: object[], description = '', affected: object[] = []): CveFacts => ({
  configurations: toConfigurations(configurations),
  affected: toAffected(affected),
  description,
})

/** CVEs of the year 2031, which has none. */
export const FROZEN_CVES: ReadonlyMap<string, CveFacts> = new Map([
  [
    'CVE-2031-0001',
    facts([
      {
        nodes: [
          node(
            row('cpe:2.3:a:acme:mail:*:*:*:*:*:*:*:*', true, { versionStartIncluding: '2.4.0', versionEndExcluding: '2.12.2' }),
            row('cpe:2.3:a:acme:mail:2.0:rc1:*:*:*:*:*:*'),
            row('cpe:2.3:a:acme:tls:*:*:*:*:*:*:*:*', true, { versionStartIncluding: '1.0.1', versionEndExcluding: '1.0.1g' }),
            row('cpe:2.3:a:acme:gateway:*:*:*:*:fips:*:*:*', true, { versionEndExcluding: '12.1-55.300' }),
          ),
        ],
      },
    ]),
  ],
  [
    'CVE-2031-0002',
    facts([
      {
        operator: 'AND',
        nodes: [
          node(
            row('cpe:2.3:o:debian:debian_linux:10.0:*:*:*:*:*:*:*', false),
            row('cpe:2.3:o:microsoft:windows_7:-:sp1:*:*:*:*:*:*', false),
          ),
          node(row('cpe:2.3:a:acme:cache:-:*:*:*:*:*:*:*')),
        ],
      },
      {
        operator: 'AND',
        nodes: [
          node(row('cpe:2.3:o:acme:rx-5_firmware:*:*:*:*:*:*:*:*', true, { versionEndIncluding: '3.1' })),
          node(row('cpe:2.3:h:acme:rx-5:-:*:*:*:*:*:*:*', false)),
        ],
      },
      {
        operator: 'AND',
        nodes: [
          node(row('cpe:2.3:a:acme:frame:*:*:*:*:*:*:*:*', true, { versionEndExcluding: '5.2' })),
          node(row('cpe:2.3:a:oracle:jdk:*:*:*:*:*:*:*:*', false, { versionStartIncluding: '9' })),
        ],
      },
    ]),
  ],
  [
    'CVE-2031-0003',
    facts(
      [{ nodes: [node(row('cpe:2.3:a:acme:script:*:*:*:*:*:*:*:*', true, { versionEndExcluding: '8.2' }))] }],
      'when Acme Script runs on Windows',
      [
        {
          affectedData: [
            { vendor: 'Acme', product: 'Vault', platforms: ['macOS'], versions: [{ version: '0', lessThan: '3.0', status: 'affected' }] },
          ],
        },
      ],
    ),
  ],
])

type Question = [cve: number, product: string, version: string, platform: string, expected: EvaluationCase['expected'], why: string]

// biome-ignore format: one case per line
const QUESTIONS: readonly Question[] = [
  [1, 'Acme Mail',    '2.12.1',     '',                 'VULNERABLE',       'below the end of the range'],
  [1, 'Mail',         '2.12.2',     '',                 'NONE',             'the end is excluded'],
  [1, 'Mail',         '2.0-rc1',    '',                 'VULNERABLE',       'an exact candidate'],
  [1, 'Mail',         '2.0',        '',                 'NONE',             'the release is not its candidate'],
  [1, 'Mail Archive', '2.12.1',     '',                 'NONE',             'a further word is another product'],
  [1, 'TLS',          '1.0.1f',     'Linux',            'VULNERABLE',       'a letter before the fixed one'],
  [1, 'TLS',          '1.0.1g',     'Linux',            'NONE',             'the fixed letter'],
  [1, 'TLS',          '',           'Linux',            'NONE',             'a bounded range needs a version'],
  [1, 'Gateway',      '12.1-55.289', '',                'CONDITIONAL',      'the edition is not known'],
  [2, 'Cache',        '6.0',        'Debian 10',        'VULNERABLE',       'the release of the distribution'],
  [2, 'Cache',        '6.0',        'Debian 12',        'OUTSIDE_PLATFORM', 'another release'],
  [2, 'Cache',        '6.0',        'Linux',            'CONDITIONAL',      'the distribution is not known'],
  [2, 'Cache',        '6.0',        'Windows 7 SP1',    'VULNERABLE',       'the edition and its service pack'],
  [2, 'Cache',        '6.0',        'Alpine Linux 3.15', 'OUTSIDE_PLATFORM', 'another distribution'],
  [2, 'RX-5',         '3.1',        '',                 'VULNERABLE',       'firmware runs on its own model'],
  [2, 'RX-5',         '3.2',        '',                 'NONE',             'above the included end'],
  [2, 'Frame',        '5.1',        'Linux',            'CONDITIONAL',      'nobody says whether there is a JDK'],
  [2, 'Frame',        '5.1',        'JDK 8 on Linux',   'OUTSIDE_PLATFORM', 'the JDK is too old'],
  [3, 'Script',       '8.1',        'Debian 12',        'CONDITIONAL',      'the text alone names Windows'],
  [3, 'Script',       '8.1',        'Windows 11',       'VULNERABLE',       'the platform that the text names'],
  [3, 'Vault',        '2.9',        'macOS 14',         'VULNERABLE',       'the statement of the author'],
  [3, 'Vault',        '2.9',        'Windows 11',       'OUTSIDE_PLATFORM', 'the author names another platform'],
  [3, 'Vault',        '3.0',        'macOS 14',         'NONE',             'the end of the author’s range'],
]

/** The frozen questions that `svc correlate evaluate` asks. */
export const FROZEN_CASES: readonly EvaluationCase[] = QUESTIONS.map(([cve, product, version, platform, expected, why], at) => ({
  id: `F-${String(at + 1).padStart(2, '0')}`,
  cve: `CVE-2031-000${cve}`,
  asset: { product, vendor: 'Acme', ...(version === '' ? {} : { version }), ...(platform === '' ? {} : { platform }) },
  expected,
  why,
}))
