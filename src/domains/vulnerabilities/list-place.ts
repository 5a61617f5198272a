import { refuseField } from '#kernel/errors.ts'

/** The last CVE of a page: pages are ordered by score and identifier. */
export type ListPlace = { score: number; id: string }

const PLACE = /^(\d{1,3}) (CVE-\d{4}-\d{4,19})$/

/** Opaque page token of the CVE list. */
export function toCveCursor({ score, id }: ListPlace): string {
  return Buffer.from(`${score} ${id}`, 'utf8').toString('base64url')
}

/** @throws validation_failed when the token was not made by `toCveCursor` */
export function parseCvePlace(cursor: string): ListPlace {
  const [, score, id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
  if (score === undefined || id === undefined)
    throw refuseField('cursor', 'The cursor is not one that this list gave out. Read the list again from its first page.')
  return { score: Number(score), id }
}
