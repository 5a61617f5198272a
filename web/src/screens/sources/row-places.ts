/**
 * The order of rows after their list was read again: what was shown stays where it was, also when it would sort elsewhere or no longer passes
 * the filter, so that nothing moves under the cursor. New rows come behind the row that they follow.
 * @param before ids as they are shown
 * @param fresh ids that pass the filter, sorted
 * @param existing every id that there is
 */
export function keepPlaces(before: readonly string[], fresh: readonly string[], existing: ReadonlySet<string>): string[] {
  const placed = before.filter((id) => existing.has(id))
  const known = new Set(placed)
  fresh.forEach((id, index) => {
    if (known.has(id)) return
    const previous = fresh[index - 1]
    placed.splice(previous === undefined ? 0 : placed.indexOf(previous) + 1, 0, id)
    known.add(id)
  })
  return placed
}
