import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the published files of one kind lie, if they are there: in the named folder, or else beside the project. */
export function realDataFolder(kind: 'feeds' | 'vuln', named?: string): string {
  return resolve(named ?? process.env['SVC_REAL_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)), kind)
}
