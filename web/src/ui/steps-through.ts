/** How an open drawer steps to the row before or after; undefined when the open row is not in the list. */
export function stepsThrough(
  ids: readonly string[],
  openId: string | undefined,
  open: (id: string) => void,
): ((by: 1 | -1) => void) | undefined {
  const at = openId === undefined ? -1 : ids.indexOf(openId)
  if (at === -1) return undefined
  return (by) => {
    const id = ids[at + by]
    if (id !== undefined) open(id)
  }
}
