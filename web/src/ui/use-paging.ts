import { type PagePlace, pagingOf } from './page-trail.ts'
import { useFocusAfterPaging } from './use-focus-after-paging.ts'

/** One page of a list, as the API answers it. A total that is not said to be an estimate is exact. */
export type ListPage = { items: readonly unknown[]; next: string | null; total: number; total_exact?: boolean }

export type ListPagingOptions = {
  /** Names the list with its filters: another list has other pages. */
  list: string
  cursor: string | undefined
  page: ListPage | undefined
  /** The page on screen is still the one before. */
  waiting: boolean
  onGo: (cursor: string | undefined) => void
}

/** What stands below a list that has rows, or a page before or after it. */
export type PagerState = {
  rows: number
  place: PagePlace | undefined
  /** Undefined on the first page. */
  onNewer: (() => void) | undefined
  /** False when the way back is not known and leads to the first page. */
  knowsNewer: boolean
  onOlder: (() => void) | undefined
}

export type ListPaging = {
  /** Properties of the DataTable. */
  table: { total: number; firstIndex: number; onPage: (by: 1 | -1) => void }
  pager: PagerState | undefined
  /** Undefined on the last page; a page without rows may have it. */
  onOlder: (() => void) | undefined
}

/** The pages of a list, turned by button or by key. */
export function usePaging({ list, cursor, page, waiting, onGo }: ListPagingOptions): ListPaging {
  const { place, onNewer, onOlder } = pagingOf({ list, cursor, page: waiting ? undefined : page, onGo })
  const focusFirst = useFocusAfterPaging(page?.items, waiting)
  const rows = page?.items.length ?? 0
  return {
    table: {
      total: page === undefined || page.total_exact === false ? -1 : page.total,
      firstIndex: place?.rowsBefore ?? 0,
      onPage: (by) => {
        const turn = by === 1 ? onOlder : onNewer
        if (turn === undefined) return
        focusFirst()
        turn()
      },
    },
    pager:
      rows === 0 && onNewer === undefined && onOlder === undefined
        ? undefined
        : { rows, place, onNewer, knowsNewer: cursor === undefined || place !== undefined, onOlder },
    onOlder,
  }
}
