import { refuseField } from './errors.ts'

/** A word of a closed list as people write it: in any case, with blanks around it. @throws validation_failed naming the field */
export function parseWord<Word extends string>(field: string, given: string, allowed: readonly Word[]): Word {
  const word = allowed.find((candidate) => candidate === given.trim().toUpperCase())
  if (word === undefined) throw refuseField(field, `"${given}" is not one of ${allowed.join(', ')}.`)
  return word
}
