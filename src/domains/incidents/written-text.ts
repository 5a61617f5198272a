import { refuseField } from '#kernel/errors.ts'

/** Text that somebody has written, as the database can hold it: without NUL, halves of characters and blanks at its ends. @throws validation_failed */
export function cleanText(field: string, given: string, { min = 0, max }: { min?: number; max: number }): string {
  const text = given.toWellFormed().replaceAll('\0', '\ufffd').trim()
  if (text.length < min)
    throw refuseField(field, min === 1 ? 'Write something.' : `Write at least ${min} characters; these are ${text.length}.`)
  if (text.length > max) throw refuseField(field, `Write at most ${max} characters; these are ${text.length}.`)
  return text
}

/** The same in one line. @throws validation_failed */
export function cleanLine(field: string, given: string, limits: { min?: number; max: number }): string {
  return cleanText(field, given.replace(/\s+/g, ' '), limits)
}
