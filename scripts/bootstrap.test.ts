import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// Plain JavaScript: the scripts must run on Node 20.
const { installDependencies, isInstalled, isMadeForThisSystem, missingNativeParts } = await import(
  String(new URL('./dependencies.mjs', import.meta.url))
)
const { digestOfInputs } = await import(String(new URL('./web-build.mjs', import.meta.url)))
const { linkProjectNode, outsidePath } = await import(String(new URL('./project.mjs', import.meta.url)))
const { runStep, summarise } = await import(String(new URL('./test-steps.mjs', import.meta.url)))

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc project '))
  put('package.json', { dependencies: { a: '1.0.0' }, scripts: { lint: 'x' } })
  put('package-lock.json', {
    packages: { '': { dependencies: { a: '1.0.0' } }, 'node_modules/a': A, 'node_modules/other-os': OTHER_SYSTEM },
  })
})
afterEach(() => {
  process.env.PATH = PATH
  rmSync(root, { recursive: true, force: true })
})

const PATH = process.env.PATH
const A = { version: '1.0.0', integrity: 'sha512-a' }
const OTHER_SYSTEM = { version: '1.0.0', optional: true, os: ['plan9'], cpu: [process.arch] }

function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}

function putInstalled(packages: Record<string, unknown>): void {
  put('node_modules/.package-lock.json', { packages })
  for (const path of Object.keys(packages)) put(`${path}/package.json`, '{}')
}

/** An npm that only writes down how it was called, and ends with `code`. */
function putFakeNpm(code: number): void {
  put('bin/npm', `#!/bin/sh\necho "$@" >> "${root}/called"\necho "npm error code EXAMPLE" >&2\nexit ${code}\n`)
  chmodSync(join(root, 'bin/npm'), 0o755)
  process.env.PATH = `${join(root, 'bin')}:/usr/bin:/bin`
}

const install = (lines: string[] = []): void => installDependencies(root, (line: string) => lines.push(line))

test('a folder without node_modules is installed once, development tools and optional parts included', () => {
  putFakeNpm(0)
  const lines: string[] = []
  mkdirSync(join(root, 'node_modules'))
  install(lines)
  install(lines)
  expect(readFileSync(join(root, 'called'), 'utf8').trim().split('\n')).toHaveLength(1)
  expect(readFileSync(join(root, 'called'), 'utf8')).toContain('ci --include=dev --include=optional')
  expect(lines[0]).toContain('Installing')
  expect(lines[1]).toMatch(/Installed the dependencies in \d+\.\d s/)
})

test('what npm installed before is taken as it is, without a word', () => {
  putFakeNpm(1)
  putInstalled({ 'node_modules/a': A })
  const lines: string[] = []
  install(lines)
  expect(existsSync(join(root, 'called'))).toBe(false)
  expect(lines).toEqual([])
})

test('a changed script of package.json installs nothing, a changed lock does', () => {
  putFakeNpm(0)
  putInstalled({ 'node_modules/a': A })
  install()
  put('package.json', { dependencies: { a: '1.0.0' }, scripts: { lint: 'y' } })
  install()
  expect(existsSync(join(root, 'called'))).toBe(false)
  put('package-lock.json', { packages: { '': { dependencies: { a: '1.0.0' } }, 'node_modules/a': { ...A, version: '1.0.1' } } })
  install()
  expect(existsSync(join(root, 'called'))).toBe(true)
})

test('a failing npm ci is told with its words and leaves no mark of success', () => {
  putFakeNpm(7)
  expect(() => install()).toThrow(/npm error code EXAMPLE\n.*"npm ci" failed/)
  expect(existsSync(join(root, 'node_modules/.svc-install'))).toBe(false)
})

test('the command ends with exit code 2 when npm is missing', () => {
  const copy = join(root, 'scripts')
  spawnSync('cp', ['-r', import.meta.dirname, copy])
  mkdirSync(join(root, 'empty'))
  const { status, stderr } = spawnSync(process.execPath, [join(copy, 'bootstrap.mjs')], {
    encoding: 'utf8',
    env: { PATH: join(root, 'empty') },
  })
  expect(stderr).toContain('npm was not found')
  expect(status).toBe(2)
})

// biome-ignore format: one case per line
test.each([
  { title: 'complete',                                    change: () => {},                                                                         want: true },
  { title: 'incomplete when a package has another version', change: () => putInstalled({ 'node_modules/a': { ...A, version: '0.9.0' } }),            want: false },
  { title: 'incomplete when a package has other content', change: () => putInstalled({ 'node_modules/a': { ...A, integrity: 'sha512-b' } }),         want: false },
  { title: 'incomplete when a package is not listed',     change: () => putInstalled({}),                                                            want: false },
  { title: 'incomplete when a folder was removed',        change: () => rmSync(join(root, 'node_modules/a'), { recursive: true }),                   want: false },
  { title: 'incomplete when npm did not finish',          change: () => rmSync(join(root, 'node_modules/.package-lock.json')),                       want: false },
  { title: 'incomplete when package.json wants more',     change: () => put('package.json', { dependencies: { a: '1.0.0', b: '1.0.0' } }),           want: false },
])('an installation is $title', ({ change, want }) => {
  putInstalled({ 'node_modules/a': A })
  change()
  expect(isInstalled(root)).toBe(want)
})

test('a native part for this system that npm left out is missing, one for another system is not', () => {
  const ours = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] }
  put('package-lock.json', { packages: { 'node_modules/ours': ours, 'node_modules/other-os': OTHER_SYSTEM } })
  expect(missingNativeParts(root)).toEqual(['node_modules/ours'])
  expect(isMadeForThisSystem({ os: process.platform, cpu: process.arch })).toBe(true)
  expect(isMadeForThisSystem({})).toBe(false)
})

test('the link to Node is made when npm left it out, also over a broken one, and an existing one is kept', () => {
  const node = `node_modules/node-${process.platform}-${process.arch}/bin/node`
  put(node, 'x')
  mkdirSync(join(root, 'node_modules/.bin'))
  symlinkSync('../gone', join(root, 'node_modules/.bin/node'))
  linkProjectNode(root)
  linkProjectNode(root)
  expect(readFileSync(join(root, 'node_modules/.bin/node'), 'utf8')).toBe('x')
  expect(lstatSync(join(root, 'node_modules/.bin/node')).isSymbolicLink()).toBe(true)
})

test('programs inside node_modules are not on the outside path', () => {
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  process.env.PATH = `${root}/node_modules/.bin:/usr/bin::${root}/web/node_modules/.bin`
  expect(outsidePath(root)).toBe(`/usr/bin:${root}/web/node_modules/.bin`)
})

test('the web is built again for another content or name of a source, not for another time', () => {
  put('web/src/a.ts', '1')
  const first = digestOfInputs(root)
  utimesSync(join(root, 'web/src/a.ts'), 1, 1)
  expect(digestOfInputs(root)).toBe(first)
  put('web/src/deep/b.ts', '2')
  const second = digestOfInputs(root)
  put('openapi.json', '{}')
  expect(new Set([first, second, digestOfInputs(root)]).size).toBe(3)
})

test('a step counts the tests of its report, and one without a script fails', async () => {
  const reportFile = join(root, 'report.json')
  const script = `echo '{"numPassedTests":3,"numFailedTests":0}' > "$SVC_TEST_REPORT"`
  expect(await runStep('test:e2e', { root, script, reportFile, quiet: true })).toMatchObject({ ok: true, passed: 3, failed: 0 })
  expect(await runStep('lint', { root, script: undefined, quiet: true })).toMatchObject({
    ok: false,
    output: expect.stringContaining('no script "lint"'),
  })
  expect(await runStep('lint', { root, script: 'echo words; exit 3', quiet: true })).toMatchObject({ ok: false, output: 'words\n' })
})

test('a report with failed tests fails the step even when its exit code is 0', async () => {
  const script = `echo '{"numPassedTests":3,"numFailedTests":1}' > "$SVC_TEST_REPORT"`
  expect(await runStep('test:e2e', { root, script, reportFile: join(root, 'report.json'), quiet: true })).toMatchObject({
    ok: false,
    failed: 1,
  })
})

// biome-ignore format: one case per line
test.each([
  { title: 'the sum of all steps',                  steps: [{ ok: true, passed: 3, failed: 0 }, { ok: true, passed: 4, failed: 0 }],   want: '7 passed, 0 failed' },
  { title: 'the failed tests',                      steps: [{ ok: false, passed: 3, failed: 2 }],                                      want: '3 passed, 2 failed' },
  { title: 'one failure for a step without tests',  steps: [{ ok: false, passed: 0, failed: 0 }],                                      want: '0 passed, 1 failed' },
])('the last line is $title', ({ steps, want }) => {
  const text = summarise(steps.map((step) => ({ name: 'x', seconds: '1.0', ...step })))
  expect(text.split('\n').at(-1)).toBe(want)
})

test('a program run in place gets each signal once and its exit code is kept', async () => {
  const child = `let n = 0; process.on('SIGINT', () => { n++; setTimeout(() => process.exit(40 + n), 300) }); console.log('up'); setInterval(() => {}, 1000)`
  const parent = `const { runInPlace } = await import(${JSON.stringify(join(import.meta.dirname, 'run-child.mjs'))}); runInPlace(process.execPath, ['-e', ${JSON.stringify(child)}])`
  const running = spawn(process.execPath, ['--input-type=module', '-e', parent])
  await once(running.stdout, 'data')
  running.kill('SIGINT')
  running.kill('SIGINT')
  expect(await once(running, 'exit')).toEqual([41, null])
})

test('a program that was killed leaves the exit code of its signal', async () => {
  const parent = `const { runInPlace } = await import(${JSON.stringify(join(import.meta.dirname, 'run-child.mjs'))}); runInPlace(process.execPath, ['-e', 'process.kill(process.pid, "SIGKILL")'])`
  const running = spawn(process.execPath, ['--input-type=module', '-e', parent])
  expect(await once(running, 'exit')).toEqual([137, null])
})
