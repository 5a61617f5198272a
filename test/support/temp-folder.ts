import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A temporary folder that the database server's own user may pass: as root the server runs as somebody else, and below a folder that only root
 * may pass it would keep its data outside of the folder.
 */
export function makeTempFolder(prefix: string): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `${prefix}-`))
  chmodSync(folder, 0o711)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) }
}
