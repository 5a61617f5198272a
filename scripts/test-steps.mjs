import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectEnvironment, secondsSince } from './project.mjs'

/**
 * Runs one npm script. A script that runs vitest also writes its counts to `reportFile`; another one that counts tests writes
 * `{numPassedTests, numFailedTests}` to the file named by SVC_TEST_REPORT.
 * @returns {Promise<{name: string, ok: boolean, seconds: string, passed: number, failed: number, output: string}>} `output` is empty unless `quiet`
 */
export async function runStep(name, { root, script, reportFile, quiet }) {
  const started = performance.now()
  if (script === undefined) {
    return { name, ok: false, seconds: '0.0', passed: 0, failed: 0, output: `package.json has no script "${name}".\n` }
  }
  const report =
    reportFile === undefined || !/\bvitest\b/.test(script) ? '' : ' --reporter=default --reporter=json --outputFile.json="$SVC_TEST_REPORT"'
  const { code, output } = await runShell(script + report, { root, quiet, reportFile })
  const counts = readCounts(reportFile)
  return { name, ok: code === 0 && counts.failed === 0, seconds: secondsSince(started), ...counts, output }
}

/** All steps of a group, at once when there are several. Of several, the first that runs tests is shown while it runs: it takes minutes. */
export async function runGroup(names, context) {
  const shown = names.length === 1 ? names[0] : names.find((name) => name.startsWith('test:'))
  return await Promise.all(
    names.map(
      async (name) =>
        await runStep(name, {
          root: context.root,
          script: context.scripts[name],
          reportFile: context.reportFileOf(name),
          quiet: name !== shown,
        }),
    ),
  )
}

/** The steps with their seconds, and as the last line the counts alone. A failure that no test counted is one failure. */
export function summarise(results) {
  const width = Math.max(4, ...results.map(({ name }) => name.length))
  const rows = results.map(({ name, ok, seconds }) => `${name.padEnd(width)}  ${ok ? 'ok    ' : 'FAILED'}  ${seconds.padStart(7)}`)
  const passed = results.reduce((sum, step) => sum + step.passed, 0)
  const failed = results.reduce((sum, step) => sum + Math.max(step.failed, step.ok ? 0 : 1), 0)
  return [`${'step'.padEnd(width)}  result  seconds`, ...rows, '', `${passed} passed, ${failed} failed`].join('\n')
}

async function runShell(command, { root, quiet, reportFile }) {
  const env = { ...projectEnvironment(root), ...(reportFile === undefined ? {} : { SVC_TEST_REPORT: reportFile }) }
  const child = spawn(command, {
    cwd: root,
    env,
    shell: true,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  })
  let output = ''
  const collect = (chunk) => {
    output += chunk
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  const code = await new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(1)))
  return { code, output }
}

function readCounts(reportFile) {
  if (reportFile === undefined || !existsSync(reportFile)) return { passed: 0, failed: 0 }
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(readFileSync(reportFile, 'utf8'))
  return { passed: numPassedTests, failed: numFailedTests }
}

/** Path of a step's report in `folder`. */
export function reportFileIn(folder, name) {
  return join(folder, `${name.replaceAll(':', '-')}.json`)
}
