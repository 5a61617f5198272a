import { once } from 'node:events'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Bytes of staging text that are sent in one piece. Larger pieces come from the system one by one and fragment its memory. */
const COPY_PIECE_BYTES = 64 * 1024

/** Where staged rows go. */
export type Staging = { write(line: string): Promise<void>; end(): Promise<void> }

/** A promise that may fail while nobody waits for it: the next write then throws the failure. */
function newWait(): PromiseWithResolvers<void> {
  const wait = Promise.withResolvers<void>()
  wait.promise.catch(() => {})
  return wait
}

/** Opens a COPY, sent in pieces as the server takes them. @param statement `copy … from stdin` */
export function openCopy(client: PoolClient, statement: string): Staging {
  const copy = client.query(copyFrom(statement))
  let failure: Error | undefined
  let waiting = newWait()
  // One listener each for the whole stream: one per piece would pile up.
  copy.on('drain', () => waiting.resolve())
  copy.on('error', (error: Error) => {
    failure = error
    waiting.reject(error)
  })
  let pieces: string[] = []
  let size = 0
  async function flush(): Promise<void> {
    if (failure !== undefined) throw failure
    if (size === 0) return
    const text = pieces.join('')
    pieces = []
    size = 0
    waiting = newWait()
    if (!copy.write(text)) await waiting.promise
  }
  return {
    async write(line) {
      pieces.push(line)
      size += line.length
      if (size >= COPY_PIECE_BYTES) await flush()
    },
    async end() {
      await flush()
      copy.end()
      await once(copy, 'finish')
    },
  }
}

/** Sends a whole COPY, as the server takes it; then the memory of the pieces is free again. @param statement `copy … from stdin (format binary)` */
export async function sendCopy(client: PoolClient, statement: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const copy = client.query(copyFrom(statement))
  const finished = once(copy, 'finish')
  // Whoever waits for the next drain meets the same failure.
  finished.catch(() => {})
  for (const piece of pieces) if (!copy.write(piece)) await once(copy, 'drain')
  copy.end()
  await finished
}
