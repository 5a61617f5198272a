import { auditText } from './administration.text.ts'

/** The details of an event as names and values: `sources_added` becomes "sources added", nothing is left out. */
export function detailFacts(details: Readonly<Record<string, unknown>>): { name: string; value: string }[] {
  return Object.entries(details).map(([key, value]) => ({ name: key.replaceAll('_', ' '), value: valueWords(value) }))
}

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return auditText.none
  if (typeof value === 'boolean') return value ? auditText.yes : auditText.no
  // What is neither text nor number should not be there; it is shown as it stands.
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
