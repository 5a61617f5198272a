import { appendFileSync, renameSync, statSync } from 'node:fs'

/** One file and one predecessor of this size each, bytes. Assumption: weeks of warnings. */
const MAX_FILE_BYTES = 5 * 1024 * 1024
/** A log that cannot fill the disk. */
export type BoundedLog = { write(chunk: Buffer): void }

/** Appends to `path`; when it is full it becomes `path.1` and a new one begins. A disk that is full loses lines, not the server. */
export function openBoundedLog(path: string, maxBytes = MAX_FILE_BYTES): BoundedLog {
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    write(chunk) {
      try {
        if (bytes > 0 && bytes + chunk.length > maxBytes) {
          renameSync(path, `${path}.1`)
          bytes = 0
        }
        appendFileSync(path, chunk, { mode: 0o600 })
        bytes += chunk.length
      } catch {
        // Nowhere left to say it.
      }
    },
  }
}
