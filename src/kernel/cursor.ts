import { DomainError } from './errors.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Opaque page token for a keyset walk: the id of the last row of the page before. */
export function toCursor(id: string): string {
  return Buffer.from(id, 'utf8').toString('base64url')
}

/** @throws validation_failed when the token was not made by `toCursor` from a UUID */
export function parseCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!UUID.test(id))
    throw new DomainError(
      'validation_failed',
      'The cursor is not one that this service gave out. Read the list again from its first page.',
      [{ field: 'cursor', code: 'invalid', message: 'Not a cursor of this list.' }],
    )
  return id
}
