/** A discovery. Source: TAXII 2.1, 4.1.1. */
export type Discovery = { title: string; description: string; default: string | undefined; apiRoots: string[] }
export type ApiRoot = { title: string; description: string; versions: string[] }
export type TaxiiCollection = { id: string; title: string; description: string; canRead: boolean; mediaTypes: string[] }

/** Collections, roots and words of one resource that are looked at. Assumption: no server has more. */
const MAX_ENTRIES = 1000
const MAX_TEXT_CHARACTERS = 500
/** A collection's id goes into a path. MITRE's are `x-mitre-collection--…`. */
const ID = /^[A-Za-z0-9._~-]{1,200}$/

/** @returns undefined when it is not one */
export function tryParseDiscovery(value: unknown): Discovery | undefined {
  const { title, description, default: byDefault, api_roots } = asRecord(value)
  if (!Array.isArray(api_roots)) return undefined
  return {
    title: asText(title),
    description: asText(description),
    default: typeof byDefault === 'string' ? byDefault : undefined,
    apiRoots: texts(api_roots),
  }
}

/** @returns undefined when it is not one */
export function tryParseApiRoot(value: unknown): ApiRoot | undefined {
  const { title, description, versions } = asRecord(value)
  if (!Array.isArray(versions)) return undefined
  return { title: asText(title), description: asText(description), versions: texts(versions) }
}

/** @returns undefined when it is no list of collections; an empty one has no member `collections` */
export function tryParseCollections(value: unknown): TaxiiCollection[] | undefined {
  const record = asRecord(value)
  const { collections } = record
  if (collections === undefined) return Object.keys(record).length === 0 && isRecord(value) ? [] : undefined
  if (!Array.isArray(collections)) return undefined
  return collections.slice(0, MAX_ENTRIES).flatMap((entry) => {
    const { id, title, description, can_read, media_types } = asRecord(entry)
    if (typeof id !== 'string' || !ID.test(id)) return []
    return [
      {
        id,
        title: asText(title),
        description: asText(description),
        // Absent in careless servers; a refusal comes soon enough.
        canRead: can_read !== false,
        mediaTypes: Array.isArray(media_types) ? texts(media_types) : [],
      },
    ]
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_CHARACTERS) : ''
}

function texts(values: unknown[]): string[] {
  return values
    .slice(0, MAX_ENTRIES)
    .filter((value) => typeof value === 'string')
    .map((value) => value.slice(0, MAX_TEXT_CHARACTERS))
}
