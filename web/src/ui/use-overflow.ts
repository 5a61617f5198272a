import { type RefObject, useEffect } from 'react'

/**
 * Marks the box with `data-overflowing` while its table is wider than it is.
 *
 * Only then it may scroll by itself: a scrolling box would end the sticky header's hold on the page.
 */
export function useOverflow(box: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = box.current
    const table = element?.querySelector('table')
    if (element === null || table === null || table === undefined) return
    const observer = new ResizeObserver(() => element.toggleAttribute('data-overflowing', table.scrollWidth > element.clientWidth + 1))
    observer.observe(element)
    observer.observe(table)
    return () => observer.disconnect()
  }, [box])
}
