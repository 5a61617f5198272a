import * as z from 'zod/mini'

/** The search part of a URL: each key with its schema; a value that does not fit is dropped, the others stay. */
export type SearchShape = Record<string, z.ZodMiniType>
export type SearchOf<Shape extends SearchShape> = { [Key in keyof Shape]?: Exclude<z.output<Shape[Key]>, undefined> | undefined }

/** Reads URL parameters by `shape`. Defaults are not written: an absent key is the default. */
export function searchSchema<Shape extends SearchShape>(shape: Shape): (raw: Record<string, unknown>) => SearchOf<Shape> {
  return (raw) => {
    const kept: Record<string, unknown> = {}
    for (const [key, schema] of Object.entries(shape)) {
      const parsed = raw[key] === undefined ? undefined : schema.safeParse(raw[key])
      if (parsed?.success === true && parsed.data !== undefined) kept[key] = parsed.data
    }
    // Each key was parsed by its own schema just above, which the compiler cannot follow through the loop.
    return kept as SearchOf<Shape>
  }
}

/** Free text, trimmed, `max` characters at most. */
export function textParam(max: number) {
  return z.pipe(
    z.transform((raw: unknown) => String(raw).trim()),
    z.string().check(z.minLength(1), z.maxLength(max)),
  )
}

/** One of a few words. */
export function choiceParam<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices)
}

/** Some of a few words, `a,b` in the URL; unknown ones are dropped. */
export function choicesParam<const Choice extends string>(choices: readonly Choice[]) {
  return z.pipe(
    z.transform((raw: unknown): Choice[] => {
      const words = Array.isArray(raw) ? raw : String(raw).split(',')
      return choices.filter((choice) => words.includes(choice))
    }),
    z.custom<Choice[]>((words) => Array.isArray(words) && words.length > 0),
  )
}

/** A whole number from `min` to `max`. */
export function numberParam(min: number, max: number) {
  return z.pipe(
    z.transform((raw: unknown) => (raw === '' ? Number.NaN : Number(raw))),
    z.number().check(z.int(), z.gte(min), z.lte(max)),
  )
}

/** `true` or `false`. */
export function flagParam() {
  return z.pipe(
    z.transform((raw: unknown) => (raw === true || raw === 'true' ? true : raw === false || raw === 'false' ? false : undefined)),
    z.optional(z.boolean()),
  )
}

/** URL text of search values: lists joined by commas, absent and empty values left out. */
export function writeSearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    const text = Array.isArray(value) ? value.join(',') : value === undefined || value === null ? '' : String(value)
    if (text !== '') parameters.set(key, text)
  }
  // A comma needs no escape in a query, and `high,critical` is to be readable.
  const query = parameters.toString().replaceAll('%2C', ',')
  return query === '' ? '' : `?${query}`
}

/** Every parameter as the text that stands in the URL; the route's schema gives it a type. */
export function readSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query))
}
