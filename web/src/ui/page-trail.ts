/** Where a page stands: the cursor of the page before (undefined is the first page) and the number of rows before it. */
export type PagePlace = { newer: string | undefined; rowsBefore: number }

const places = new Map<string, PagePlace>()

/** Remembers how the reader came to the page at `cursor`: a keyset walk by itself only knows the way forward. */
function rememberPage(list: string, cursor: string, place: PagePlace): void {
  places.set(`${list} ${cursor}`, place)
}

/** The place of the page at `cursor` in the list of these filters; undefined when it was opened by a link. */
function placeOfPage(list: string, cursor: string | undefined): PagePlace | undefined {
  return cursor === undefined ? { newer: undefined, rowsBefore: 0 } : places.get(`${list} ${cursor}`)
}

export type Paging = { place: PagePlace | undefined; onNewer: (() => void) | undefined; onOlder: (() => void) | undefined }

export type PagingOptions = {
  /** Names the list with its filters: another list has other pages. */
  list: string
  cursor: string | undefined
  /** The page on screen; undefined while it is being read. */
  page: { items: readonly unknown[]; next: string | null } | undefined
  onGo: (cursor: string | undefined) => void
}

/** The ways to the pages before and after; a page may be short, or empty, and still have one after it. */
export function pagingOf({ list, cursor, page, onGo }: PagingOptions): Paging {
  const place = placeOfPage(list, cursor)
  const next = page?.next ?? undefined
  const older = () => {
    if (next === undefined || page === undefined) return
    if (place !== undefined) rememberPage(list, next, { newer: cursor, rowsBefore: place.rowsBefore + page.items.length })
    onGo(next)
  }
  return {
    place,
    onNewer: cursor === undefined ? undefined : () => onGo(place?.newer),
    onOlder: next === undefined ? undefined : older,
  }
}
