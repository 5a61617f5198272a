import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { evaluate, parseCases } from '#domains/vulnerabilities/applicability/evaluate.ts'
import type { CveFacts } from '#domains/vulnerabilities/applicability/verdict.ts'
import { NvdReader } from '#domains/vulnerabilities/sources/read-nvd.ts'
import { realDataFolder } from '#test/support/real-data.ts'

// Asks the frozen questions about real CVEs, and prints precision, recall and every miss.
const { values: options } = parseArgs({ options: { data: { type: 'string' } } })
const folder = realDataFolder('vuln', options.data)
if (!existsSync(folder)) {
  console.log(`The real data is absent: there is no folder ${folder}. Name another with --data <folder>. Nothing was checked.`)
  process.exit(0)
}

const cves = new Map<string, CveFacts>()
const reader = new NvdReader(({ read }) => {
  const record = read()
  if (record.kind === 'cve') cves.set(record.cve.id, record.cve)
})
reader.push(readFileSync(join(folder, 'eval-cves.nvd20.json'), 'utf8'))
reader.end()
const cases = parseCases(JSON.parse(readFileSync(join(folder, 'eval-cases.json'), 'utf8')))
const { misses, ...figures } = evaluate(cases, cves)
console.log(`${figures.exact} of ${figures.cases} exact, precision ${figures.precision.toFixed(3)}, recall ${figures.recall.toFixed(3)}`)
for (const { id, cve, expected, given, explanation } of misses)
  console.log(`MISS ${id} ${cve}: ${given}, expected ${expected}. ${explanation}`)
process.exitCode = misses.length === 0 ? 0 : 1
