// `npm test`: every check of the project, in order, up to the first that fails. `npm test -- lint types` runs those steps alone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { CannotRun, exitWith, ROOT, say } from './project.mjs'
import { ensureSystemPrograms } from './system-programs.mjs'
import { reportFileIn, runGroup, summarise } from './test-steps.mjs'
import { buildWeb } from './web-build.mjs'

/** npm scripts; those of one group do not depend on each other and run at once. The browser tests wait for most of their time. */
const GROUPS = [['format:check', 'lint', 'types', 'borders'], ['gen:check'], ['migrations'], ['test:unit'], ['test:int', 'test:e2e']]
const NEED_SYSTEM_PROGRAMS = ['test:int', 'test:e2e']

const reports = mkdtempSync(join(tmpdir(), 'svc-test-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
// The steps get the terminal's Ctrl+C themselves and end; the rest of the list must not begin then.
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isInterrupted = true
  })
}

try {
  const groups = chooseGroups(process.argv.slice(2))
  bootstrap({ web: false })
  if (groups.flat().some((name) => NEED_SYSTEM_PROGRAMS.includes(name))) ensureSystemPrograms(say)
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  process.exitCode = await runUntilFailure(groups, {
    root: ROOT,
    scripts,
    reportFileOf: (name) => (name.startsWith('test:') ? reportFileIn(reports, name) : undefined),
  })
} catch (error) {
  exitWith(error)
}

async function runUntilFailure(groups, context) {
  const results = []
  for (const group of groups) {
    process.stdout.write(`\n== ${group.join(', ')}\n`)
    // Not earlier: a mistake in the web's sources is better told by the steps before.
    if (group.includes('test:e2e')) buildWeb(ROOT, say)
    const finished = await runGroup(group, context)
    results.push(...finished)
    for (const { name, ok, output } of finished) if (!ok && output !== '') process.stdout.write(`\n-- ${name}\n${output}`)
    if (isInterrupted || finished.some(({ ok }) => !ok)) break
  }
  const failed = results.filter(({ ok }) => !ok).map(({ name }) => name)
  if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`)
  process.stdout.write(`\n${summarise(results)}\n`)
  return failed.length > 0 || isInterrupted ? 1 : 0
}

function chooseGroups(names) {
  const unknown = names.filter((name) => !GROUPS.flat().includes(name))
  if (unknown.length > 0) throw new CannotRun(`No such step: ${unknown.join(', ')}. Steps: ${GROUPS.flat().join(', ')}`)
  if (names.length === 0) return GROUPS
  return GROUPS.map((group) => group.filter((name) => names.includes(name))).filter((group) => group.length > 0)
}
