import type { Command } from 'commander'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { numberWithin } from '#platform/cli/arguments.ts'
import { type Column, EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import type { AffectedService } from './affected.service.ts'
import type { CveDetail, CveQuery, CvesService } from './cves.service.ts'
import type { CvesImportService, FileImport, ImportProgress } from './cves-import.service.ts'
import { SORT_KEYS } from './list-order.ts'
import type { ScoresService } from './scores.service.ts'

export type CveCommandDeps = {
  cves: () => Promise<CvesService>
  imports: () => Promise<CvesImportService>
  scores: () => Promise<ScoresService>
  affected: () => Promise<AffectedService>
  signal: () => AbortSignal
  out: Output
}

type Row = Awaited<ReturnType<CvesService['page']>>['items'][number]

/** Characters of a description in a table. */
const SHORT_CHARS = 80
const SHOWN_REFERENCES = 10
const BAR_CHARS = 20
const MS_PER_SECOND = 1000

const COLUMNS: Column<Row>[] = [
  { title: 'cve', of: ({ id }) => id },
  { title: 'priority', of: ({ priority }) => priority },
  { title: 'score', of: ({ score }) => score },
  { title: 'cvss', of: ({ cvss }) => cvss },
  { title: 'epss', of: ({ epss }) => epss?.toFixed(4) },
  { title: 'kev', of: ({ kev, ransomware }) => (ransomware ? 'ransomware' : kev ? 'yes' : '') },
  { title: 'exploit', of: ({ exploit }) => (exploit ? 'public' : '') },
  { title: 'published', of: ({ published }) => published.toISOString().slice(0, 10) },
  { title: 'description', of: ({ description }) => description.replaceAll(/\s+/g, ' ').slice(0, SHORT_CHARS) },
]

/** Adds `svc cves …`. @returns the command, for others of its kind */
export function addCveCommands(program: Command, deps: CveCommandDeps): Command {
  const cves = program
    .command('cves')
    .description('vulnerabilities')
    .addHelpText(
      'after',
      '\nExamples:\n  svc cves import nvdcve-2.0-2025.json.gz known_exploited_vulnerabilities.json epss_scores-current.csv.gz\n  svc cves list --priority P0,P1',
    )
  addList(cves, deps)
  addShow(cves, deps)
  addImport(cves, deps)
  addRescore(cves, deps)
  addRefreshAffected(cves, deps)
  return cves
}

type ListFlags = {
  q?: string
  priority?: string
  kev?: boolean
  ransomware?: boolean
  exploit?: boolean
  minEpss?: number
  minCvss?: number
  status?: string
  vendor?: string
  product?: string
  publishedSince?: string
  modifiedSince?: string
  dueFrom?: string
  dueTo?: string
  alert?: string
  sort?: string
  cursor?: string
  json?: boolean
}

function addList(parent: Command, { cves, out }: CveCommandDeps): void {
  parent
    .command('list')
    .description('50 CVEs, highest score first unless sorted otherwise')
    .option('--q <text>', 'in the identifier or the description')
    .option('--priority <words>', 'P0, P1, P2, P3; several with commas')
    .option('--kev', 'only those that are known to be exploited')
    .option('--no-kev', 'only those that are not')
    .option('--ransomware', 'only those that are known to be used by ransomware')
    .option('--exploit', 'only those with a public exploit')
    .option('--min-epss <probability>', 'EPSS from here, 0 to 1', numberWithin(0, 1))
    .option('--min-cvss <score>', 'CVSS from here, 0 to 10', numberWithin(0, 10))
    .option('--status <words>', 'as NVD words it, such as Analyzed or Deferred; several with commas')
    .option('--vendor <name>', 'who makes what is vulnerable')
    .option('--product <name>', 'what is vulnerable, under any name in use')
    .option('--published-since <day>', 'a day or a moment')
    .option('--modified-since <day>', 'a day or a moment')
    .option('--due-from <day>', 'to be mended on this day or later, says CISA')
    .option('--due-to <day>', 'to be mended by this day, says CISA')
    .option('--alert <word>', 'open: an alert of it waits; any: there has been one; none: there has been none')
    .option('--sort <columns>', `up to four of ${SORT_KEYS.join(', ')}; a minus for the highest first`)
    .option('--cursor <text>', 'the page after this one, as the page before has named it')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText(
      'after',
      "\nExamples:\n  svc cves list --priority P0 --kev\n  svc cves list --q 'remote code execution' --json\n  svc cves list --product 'exchange server' --min-epss 0.1 --sort=-kev,due,-epss",
    )
    .action(async (flags: ListFlags) => {
      const page = await (await cves()).page(toQuery(flags))
      if (flags.json === true) return out.json(page)
      out.table(page.items, COLUMNS)
      if (page.items.length === 0 && page.next !== null) out.note('None of the CVEs looked at holds the text; others follow.')
      else if (page.total === 0) out.note('No CVE fits. An empty base is filled by: svc cves import <files of NVD, KEV and EPSS>')
      else out.note(`${page.items.length} of ${page.total_exact ? '' : 'about '}${page.total}`)
      if (page.next !== null) out.note(`next page: --cursor ${page.next}`)
    })
}

function toQuery(flags: ListFlags): CveQuery {
  const { json: _json, minEpss, minCvss, publishedSince, modifiedSince, dueFrom, dueTo, ...same } = flags
  return {
    ...same,
    ...(minEpss === undefined ? {} : { min_epss: minEpss }),
    ...(minCvss === undefined ? {} : { min_cvss: minCvss }),
    ...(publishedSince === undefined ? {} : { published_since: publishedSince }),
    ...(modifiedSince === undefined ? {} : { modified_since: modifiedSince }),
    ...(dueFrom === undefined ? {} : { due_from: dueFrom }),
    ...(dueTo === undefined ? {} : { due_to: dueTo }),
  }
}

function addShow(parent: Command, { cves, out }: CveCommandDeps): void {
  parent
    .command('show <id>')
    .description('one CVE with every point of its score; with --product, whether it hits what you run')
    .option('--product <name>', 'what you run, as advisories name it')
    .option('--vendor <name>', 'who makes it')
    .option('--product-version <text>', 'its version')
    .option('--platform <text>', 'what it runs on, such as "Debian 12"')
    .option('--json', 'as JSON, in the shape of the API')
    .addHelpText(
      'after',
      '\nExamples:\n  svc cves show CVE-2021-44228\n  svc cves show CVE-2021-44228 --product Log4j --vendor Apache --product-version 2.14.1',
    )
    .action(async (id: string, { json, product, vendor, productVersion, platform }: ShowFlags) => {
      const service = await cves()
      if (product === undefined) {
        const detail = await service.get(id)
        if (json === true) return out.json(detail)
        for (const line of describe(detail)) out.line(toPrintable(line))
        return
      }
      const verdict = await service.judge(id, { product, vendor, version: productVersion, platform })
      if (json === true) return out.json(verdict)
      out.line(toPrintable(`${verdict.verdict}  ${verdict.explanation}`))
    })
}

type ShowFlags = { product?: string; vendor?: string; productVersion?: string; platform?: string; json?: boolean }

function describe(cve: CveDetail): string[] {
  const { breakdown: b } = cve
  const floor = b.kev_floor ? ', lifted by KEV' : ''
  const cap = b.cap === null ? '' : `, at most ${b.cap}`
  const kev = cve.kev
    ? `since ${cve.kev_date_added}, due ${cve.kev_due_date ?? 'not stated'}${cve.ransomware ? ', used by ransomware' : ''}`
    : 'no'
  const epss = cve.epss === null ? 'none' : `${cve.epss} (percentile ${cve.epss_percentile}) of ${cve.epss_day ?? 'an unknown day'}`
  const lines = [
    ['cve', `${cve.id}  ${cve.status}`],
    ['priority', `${cve.priority}${floor}`],
    [
      'score',
      `${cve.score} = CVSS ${b.cvss} + EPSS ${b.epss_prob} + rank ${b.epss_rank} + KEV ${b.kev} + ransomware ${b.ransomware} + exploit ${b.exploit}${cap}`,
    ],
    ['cvss', cve.cvss === null ? 'none' : `${cve.cvss} (${cve.cvss_version}, ${cve.cvss_source}) ${cve.cvss_vector}`],
    ['epss', epss],
    ['kev', kev],
    ['published', cve.published.toISOString()],
    ['changed', cve.last_modified.toISOString()],
    ['weaknesses', cve.cwes.join(', ')],
    ['description', cve.description.replaceAll(/\s+/g, ' ')],
    ...cve.references
      .toSorted((one, other) => Number(other.exploit) - Number(one.exploit))
      .slice(0, SHOWN_REFERENCES)
      .map(({ url, tags, exploit }) => [exploit ? 'exploit' : 'reference', `${url} ${tags.join(', ')}`.trim()]),
    ...cve.priority_history.map((step) => [
      'history',
      `${step.at.toISOString()} ${step.old_priority} to ${step.new_priority}: ${step.reason}`,
    ]),
  ]
  return lines.map(([name = '', value]) => `${name.padEnd(13)}${value}`)
}

function addImport(parent: Command, { imports, signal, out }: CveCommandDeps): void {
  parent
    .command('import <files...>')
    .description('takes over files of NVD records (2.0), a KEV catalogue or EPSS scores; .json and .csv, also as .gz, .xz, .zst and .zip')
    .option('--only-known', 'updates stored CVEs and adds none')
    .option('--json', 'what each file has done, as JSON')
    .addHelpText('after', '\nExamples:\n  svc cves import nvdcve-2.0-*.json.gz\n  svc cves import CVE-2025.json.xz --only-known')
    .action(async (files: string[], { onlyKnown, json }: { onlyKnown?: boolean; json?: boolean }) => {
      const service = await imports()
      const done: FileImport[] = []
      for (const path of files) {
        const onProgress = createProgress(out, path)
        const result = await service.importFile(COMMAND_LINE_ACTOR, path, { onlyKnown: onlyKnown === true, signal: signal(), onProgress })
        out.progress('')
        done.push(result)
        if (json !== true) tell(out, result)
        if (result.error !== null) out.exitCode = EXIT_FAILED
      }
      if (json === true) out.json(done)
    })
}

function tell(out: Output, file: FileImport): void {
  out.line(
    toPrintable(
      `${file.path}: ${file.source}, ${file.records} records; ${file.created} new, ${file.updated} changed, ${file.unchanged} as they were, ${file.removed} removed, ${file.refused} refused`,
    ),
  )
  for (const refusal of file.refusals) out.note(toPrintable(`  refused ${refusal}`))
  if (file.error !== null) out.error(`${file.error} What was read before is kept.`)
}

/** Share read, pace and time left, at most once in a while. */
function createProgress(out: Output, path: string): (progress: ImportProgress) => void {
  const startMs = Date.now()
  let shownMs = 0
  return ({ bytes, bytesRead, records }) => {
    const nowMs = Date.now()
    if (nowMs - shownMs < MS_PER_SECOND / 5) return
    shownMs = nowMs
    const share = bytes === 0 ? 1 : Math.min(1, bytesRead / bytes)
    const seconds = (nowMs - startMs) / MS_PER_SECOND
    const bar = '█'.repeat(Math.round(share * BAR_CHARS)).padEnd(BAR_CHARS, '░')
    const left = share > 0 ? Math.ceil((seconds * (1 - share)) / share) : 0
    out.progress(
      `${bar} ${Math.floor(share * 100)} %  ${records} records, ${Math.round(records / Math.max(seconds, 0.001))}/s, ${left} s left  ${path}`,
    )
  }
}

function addRescore(parent: Command, { scores, out }: CveCommandDeps): void {
  parent
    .command('rescore')
    .description('works out every score and priority again, without alerts')
    .addHelpText('after', '\nExample:\n  svc cves rescore')
    .action(async () => {
      const counts = await (await scores()).rescoreAll(COMMAND_LINE_ACTOR)
      out.line(`${counts.scores} scores and ${counts.priorities} priorities changed`)
    })
}

function addRefreshAffected(parent: Command, { affected, signal, out }: CveCommandDeps): void {
  parent
    .command('refresh-affected')
    .description('works out anew which CVE hits which product, from what is stored; for after an upgrade')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  svc cves refresh-affected')
    .action(async ({ json }: { json?: boolean }) => {
      const onProgress = (cves: number) => out.progress(`${cves} CVEs read`)
      const counts = await (await affected()).refresh(COMMAND_LINE_ACTOR, { signal: signal(), onProgress })
      out.progress('')
      if (json === true) return out.json(counts)
      out.line(
        `${counts.cves} CVEs: ${counts.added} products added, ${counts.removed} removed; ${counts.rekeyed} products have other names`,
      )
    })
}
