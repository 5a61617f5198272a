import { spawnSync } from 'node:child_process'
import { CannotRun, findProgram, secondsSince } from './project.mjs'

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PACKAGES = ['redis-server', 'chromium', 'fonts-dejavu-core']
const QUOTED_LINES = 10

/** Installs without starting anything: a policy that refuses service starts stands for that time, unless the system has one of its own. */
const INSTALL = `set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > $policy
  chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends ${PACKAGES.join(' ')}
`

/** Makes sure that the servers and the browser of the tests are there. As root, or with sudo that asks nothing, it installs them. @throws CannotRun */
export function ensureSystemPrograms(say) {
  const missing = missingPrograms()
  if (missing.length === 0) return
  const byHand = `Missing: ${missing.join(', ')}. Run: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${PACKAGES.join(' ')}`
  const prefix = rootPrefix()
  if (prefix === undefined || findProgram(['apt-get']) === undefined) throw new CannotRun(byHand)
  const started = performance.now()
  say(`Installing ${missing.join(' and ')} for the tests (apt-get) ...`)
  const [command, ...args] = [...prefix, 'sh', '-c', INSTALL]
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0 || missingPrograms().length > 0) {
    const words = `${stdout ?? ''}\n${stderr ?? ''}`.split('\n').filter((line) => line.trim())
    throw new CannotRun([...words.slice(-QUOTED_LINES), `apt-get did not install them. ${byHand}`].join('\n'))
  }
  say(`Installed in ${secondsSince(started)} s.`)
}

function missingPrograms() {
  const missing = []
  if (findProgram(['redis-server']) === undefined) missing.push('redis-server')
  if (findProgram(CHROMIUM) === undefined) missing.push('chromium')
  return missing
}

/** What to put before a command so that it runs as root; undefined when that would ask for a password. */
function rootPrefix() {
  if (process.getuid?.() === 0) return []
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : undefined
}
