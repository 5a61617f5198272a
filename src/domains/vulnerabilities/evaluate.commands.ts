import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { CannotRun } from '#platform/cli/cannot-run.ts'
import { EXIT_FAILED, type Output } from '#platform/cli/output.ts'
import { toPrintable } from '#platform/cli/printable.ts'
import { evaluate, parseCases } from './applicability/evaluate.ts'
import { FROZEN_CASES, FROZEN_CVES } from './applicability/frozen-cases.ts'
import type { CveFacts } from './applicability/verdict.ts'
import { NvdReader } from './sources/read-nvd.ts'

/** Adds `svc correlate evaluate`. Exit code 1 when an answer is not the known one. */
export function addEvaluateCommand(program: Command, { out }: { out: Output }): void {
  program
    .command('correlate')
    .description('CVEs and what you run')
    .addHelpText('after', '\nExample:\n  svc correlate evaluate')
    .command('evaluate')
    .description('asks frozen questions with known answers, and prints precision, recall and each miss; writes nothing')
    .option('--cases <file>', 'questions of your own: [{id, cve, asset: {product, vendor, version, platform}, expected, why}]')
    .option('--cves <file>', 'the CVEs that they ask about, as NVD publishes them')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  svc correlate evaluate\n  svc correlate evaluate --cases cases.json --cves cves.json --json')
    .action(({ cases, cves, json }: { cases?: string; cves?: string; json?: boolean }) => {
      if ((cases === undefined) !== (cves === undefined))
        throw new CannotRun('Questions of your own need their CVEs, and CVEs their questions.', 'give both --cases and --cves, or neither')
      const result =
        cases === undefined || cves === undefined
          ? evaluate(FROZEN_CASES, FROZEN_CVES)
          : evaluate(parseCases(readJson(cases)), readCves(cves))
      if (result.misses.length > 0) out.exitCode = EXIT_FAILED
      if (json === true) return out.json(result)
      out.line(`${result.exact} of ${result.cases} exact, precision ${result.precision.toFixed(3)}, recall ${result.recall.toFixed(3)}`)
      for (const { id, cve, expected, given, explanation } of result.misses)
        out.line(toPrintable(`miss ${id} ${cve}: ${given}, expected ${expected}. ${explanation}`))
    })
}

function readCves(path: string): Map<string, CveFacts> {
  const cves = new Map<string, CveFacts>()
  const reader = new NvdReader(({ read }) => {
    const record = read()
    if (record.kind === 'cve') cves.set(record.cve.id, record.cve)
  })
  reader.push(readText(path))
  reader.end()
  return cves
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CannotRun(`${path} is no JSON: ${error.message}`, 'check the file')
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CannotRun(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      'check the name and the rights of the file',
    )
  }
}
