import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CannotRun, findProjectNode, projectEnvironment, secondsSince } from './project.mjs'

const CONFIG = 'web/vite.config.ts'
/** Everything a build depends on: sources, configuration, and the versions of the libraries. */
const INPUTS = [
  'web/src',
  'web/public',
  'web/index.html',
  CONFIG,
  'web/tsconfig.json',
  'web/package.json',
  'openapi.json',
  'package-lock.json',
]
const BUILT = 'web/dist/index.html'
const STAMP = 'node_modules/.cache/svc/web-build'
const QUOTED_LINES = 30

/** Builds web/dist unless it was built from the same sources. Does nothing where there is no web to build. @throws CannotRun */
export function buildWeb(root, say) {
  if (!existsSync(join(root, CONFIG))) return
  const digest = digestOfInputs(root)
  const stamp = join(root, STAMP)
  if (existsSync(join(root, BUILT)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  const started = performance.now()
  say('Building the web interface ...')
  const { status, error, stdout, stderr } = spawnSync(
    findProjectNode(root) ?? process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: join(root, 'web'),
      encoding: 'utf8',
      env: { ...projectEnvironment(root), NODE_ENV: 'production' },
    },
  )
  if (status !== 0) {
    const words = [error?.message, ...`${stdout ?? ''}\n${stderr ?? ''}`.split('\n')].filter((line) => line?.trim())
    throw new CannotRun([...words.slice(-QUOTED_LINES), 'The web interface could not be built (npm run build -w web).'].join('\n'))
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, digest)
  say(`Built the web interface in ${secondsSince(started)} s.`)
}

/** Digest of names and contents, so that neither a fresh checkout nor a touched file builds again. */
export function digestOfInputs(root) {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    for (const file of filesOf(root, input)) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function filesOf(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(root, join(path, name)))
}
