/** Where a page stands: the cursor of the page before (undefined is the first page) and the number of rows before it. */
export type PagePlace = { newer: string | undefined; rowsBefore: number }

const places = new Map<string, PagePlace>()

/** Remembers how the reader came to the page at `cursor`: a keyset walk by itself only knows the way forward. */
export function rememberPage(list: string, cursor: string, place: PagePlace): void {
  places.set(`${list} ${cursor}`, place)
}

/** The place of the page at `cursor` in the list of these filters; undefined when it was opened by a link. */
export function placeOfPage(list: string, cursor: string | undefined): PagePlace | undefined {
  return cursor === undefined ? { newer: undefined, rowsBefore: 0 } : places.get(`${list} ${cursor}`)
}
