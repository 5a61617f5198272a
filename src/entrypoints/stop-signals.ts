/** A request to stop, by Ctrl+C or by the system. */
export type StopSignals = { signal: AbortSignal; requested: Promise<void>; dispose(): void }

/** Exit code of a stop that was forced. Source: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** npm and shells pass one Ctrl+C on a second time; only a later one is meant. Milliseconds. Assumption: a person needs longer to press again. */
const SAME_PRESS_MS = 500

/** The first signal asks for an orderly stop, a second one ends the process at once. */
export function listenForStop(): StopSignals {
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  let firstAtMs = 0
  const onSignal = (): void => {
    if (!controller.signal.aborted) {
      firstAtMs = Date.now()
      controller.abort(new Error('Stop was asked for.'))
      resolve()
    } else if (Date.now() - firstAtMs > SAME_PRESS_MS) process.exit(EXIT_INTERRUPTED)
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  return {
    signal: controller.signal,
    requested: promise,
    dispose() {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}
