import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** One press of Ctrl+C arrives several times, from the terminal and from each npm in between; within this time it is one, milliseconds. */
const SAME_SIGNAL_MS = 1000
/** A closed terminal ends a server in order too. */
const FORWARDED = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGTERM' }

/**
 * Runs a program in place of this one: same input and output, signals passed on, and this process ends with its exit code.
 * The child has a session of its own, so a signal from the terminal reaches it once, through here, and it can end in order.
 */
export function runInPlace(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'inherit', detached: true, ...options })
  let lastSignalMs = Number.NEGATIVE_INFINITY
  for (const [signal, forwarded] of Object.entries(FORWARDED)) {
    process.on(signal, () => {
      const isRepeated = performance.now() - lastSignalMs < SAME_SIGNAL_MS
      if (isRepeated) return
      lastSignalMs = performance.now()
      child.kill(forwarded)
    })
  }
  child.on('error', (error) => {
    process.stderr.write(`${program} cannot be started: ${error.message}\n`)
    process.exit(2)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
