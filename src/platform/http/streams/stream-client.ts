import type { ServerResponse } from 'node:http'

/** What may wait for one client, bytes: its queue here and what the connection holds. Source: docs/decisions/0013. */
export const MAX_WAITING_BYTES = 1024 * 1024
/** An answer that was ended and is not taken is cut after this long, milliseconds. Assumption: who reads at all has read the last line by then. */
const FAREWELL_MS = 5000

/** One open stream: takes whole messages, never more than its bound, and never blocks the others. */
export type StreamClient = {
  send(message: Buffer): void
  /** Since when the client has taken nothing, by the monotonic clock, milliseconds; undefined while it keeps up. */
  stuckSinceMs(): number | undefined
  /** What waits for it, here and in the connection. */
  waitingBytes(): number
  /** Sends the last message and ends the stream. */
  end(message?: Buffer): void
  /** Ends the stream at once. */
  cut(): void
}

/**
 * Writes messages to an answer that stays open. While the connection is full they wait here; beyond the bound all of them are dropped, and
 * `afterLoss` is sent once the client reads again.
 */
export function createStreamClient(
  response: ServerResponse,
  { afterLoss, maxWaitingBytes = MAX_WAITING_BYTES }: { afterLoss: () => Buffer; maxWaitingBytes?: number },
): StreamClient {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let hasLost = false
  let hasEnded = false
  let fullSinceMs: number | undefined

  function write(message: Buffer): void {
    if (!response.write(message)) fullSinceMs ??= performance.now()
  }

  function flush(): void {
    fullSinceMs = undefined
    if (hasEnded) return
    if (hasLost) {
      hasLost = false
      write(afterLoss())
      return
    }
    let sent = 0
    for (const message of waiting) {
      if (fullSinceMs !== undefined) break
      write(message)
      waitingBytes -= message.length
      sent += 1
    }
    waiting = waiting.slice(sent)
  }

  function queue(message: Buffer): void {
    if (hasLost) return
    if (waitingBytes + response.writableLength + message.length <= maxWaitingBytes) {
      waiting.push(message)
      waitingBytes += message.length
      return
    }
    hasLost = true
    waiting = []
    waitingBytes = 0
  }

  response.on('drain', flush)
  return {
    send(message) {
      if (hasEnded) return
      if (fullSinceMs === undefined) write(message)
      else queue(message)
    },
    stuckSinceMs: () => fullSinceMs,
    waitingBytes: () => waitingBytes + response.writableLength,
    end(message) {
      if (hasEnded) return
      hasEnded = true
      const { socket } = response
      // The connection goes with its stream: kept for another request, it would hold up a server that stops.
      response.end(message ?? '', () => socket?.destroy())
      const timer = setTimeout(() => socket?.destroy(), FAREWELL_MS)
      timer.unref()
      response.once('close', () => clearTimeout(timer))
    },
    cut() {
      hasEnded = true
      response.destroy()
    },
  }
}
