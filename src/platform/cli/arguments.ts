import { InvalidArgumentError } from 'commander'

/** Reads a whole number within bounds, for `option(..., wholeNumber(1, 100))`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < min || number > max) throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
    return number
  }
}

/** Reads a number within bounds, fractions included. */
export function numberWithin(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d+(?:\.\d+)?$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`Give a number from ${min} to ${max}.`)
    return number
  }
}

/** Reads one of a few words in any case, and gives it as it is listed. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate.toLowerCase() === text.toLowerCase())
    if (word === undefined) throw new InvalidArgumentError(`Give one of ${words.join(', ')}.`)
    return word
  }
}

/** Reads a JSON object. */
export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('Give a JSON object, such as \'{"delimiter": ";"}\'.')
}

/** Gathers the values of an option that may be given several times. */
export function gather(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text]
}
