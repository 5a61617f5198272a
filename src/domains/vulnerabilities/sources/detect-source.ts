/** Whose data a file holds. */
export type SourceKind = 'NVD' | 'KEV' | 'EPSS'

/** Characters that are looked at. Source: the members before the list of a KEV catalogue take 200. */
export const HEAD_CHARS = 2048

/** Tells a file by its beginning, whatever its name: KEV's catalogue number, EPSS's columns, and NVD for all else. */
export function detectSource(head: string): SourceKind {
  const text = head.slice(0, HEAD_CHARS).trimStart()
  if (text.startsWith('#model_version') || /^cve,epss/i.test(text)) return 'EPSS'
  if (/"catalogVersion"\s*:/.test(text)) return 'KEV'
  if (/"data"\s*:\s*\[\s*\{\s*"cve"\s*:/.test(text)) return 'EPSS'
  return 'NVD'
}
