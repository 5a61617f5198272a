import { TLP_LEVELS, type Tlp } from '../../feeds.model.ts'

/** The fixed marking objects. Source: STIX 2.1, 7.2.1.4 (TLP 1), and the TLP 2.0 extension definition of OASIS. */
// biome-ignore format: one table
const BY_ID: Readonly<Record<string, Tlp>> = {
  'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9': 'CLEAR',
  'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da': 'GREEN',
  'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82': 'AMBER',
  'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed': 'RED',
  'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487': 'CLEAR',
  'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb': 'GREEN',
  'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421': 'AMBER',
  'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003': 'AMBER+STRICT',
  'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1': 'RED',
}

/** The level of one of the fixed marking objects. */
export function tlpOfMarkingId(id: string): Tlp | undefined {
  return Object.hasOwn(BY_ID, id) ? BY_ID[id] : undefined
}

/** The level that a word means: `white`, `TLP:AMBER+STRICT`, `tlp:amber_strict`. */
export function tlpOfWord(word: string): Tlp | undefined {
  const level = word
    .trim()
    .toUpperCase()
    .replace(/^TLP[:\s_-]*/, '')
    .replace(/[\s_-]/, '+')
  return level === 'WHITE' ? 'CLEAR' : TLP_LEVELS.find((known) => known === level)
}

/** The level of a marking definition by its definition (TLP 1), its extension (TLP 2), or its name. */
export function tlpOfDefinition(marking: Readonly<Record<string, unknown>>): Tlp | undefined {
  const words: unknown[] = [asRecord(marking['definition'])?.['tlp']]
  for (const extension of Object.values(asRecord(marking['extensions']) ?? {})) words.push(asRecord(extension)?.['tlp_2_0'])
  const { name } = marking
  if (typeof name === 'string' && /^\s*tlp/i.test(name)) words.push(name)
  return highestTlp(words.map((word) => (typeof word === 'string' ? tlpOfWord(word) : undefined)))
}

/** The strictest of several levels. */
export function highestTlp(levels: readonly (Tlp | undefined)[]): Tlp | undefined {
  let highest: Tlp | undefined
  for (const level of levels) if (level !== undefined && (highest === undefined || isAbove(level, highest))) highest = level
  return highest
}

/** Whether the first level is stricter than the second. */
export function isAbove(level: Tlp, limit: Tlp): boolean {
  return TLP_LEVELS.indexOf(level) > TLP_LEVELS.indexOf(limit)
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
