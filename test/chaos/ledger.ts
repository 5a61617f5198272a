/** What a feed must amount to after complete and cut-off runs, kept the naive way: a count per value, raised by each complete run that lists it. */
export type Ledger = Map<string, { completeRuns: number; listed: boolean }>

/** Counts one complete run over the given list. */
export function countRun(ledger: Ledger, list: readonly string[]): void {
  for (const entry of ledger.values()) entry.listed = false
  for (const value of list) {
    const entry = ledger.get(value) ?? { completeRuns: 0, listed: false }
    ledger.set(value, { completeRuns: entry.completeRuns + 1, listed: true })
  }
}

export type StoredSighting = { value: string; hits: number; listed: boolean }

/** Values that are lost, doubled, or wrong in hits or listing; none when all is as the ledger says. */
export function differences(ledger: Ledger, stored: readonly StoredSighting[]): string[] {
  const times = new Map<string, number>()
  for (const { value } of stored) times.set(value, (times.get(value) ?? 0) + 1)
  const doubled = [...times].filter(([, count]) => count > 1).map(([value]) => `${value} is stored twice`)
  const lost = [...ledger.keys()].filter((value) => !times.has(value)).map((value) => `${value} is lost`)
  const wrong = stored.flatMap((sighting) => {
    // A value that only cut-off runs saw was seen once, and is on no complete list.
    const { completeRuns, listed } = ledger.get(sighting.value) ?? { completeRuns: 1, listed: false }
    return completeRuns === sighting.hits && listed === sighting.listed
      ? []
      : [`${inWords(sighting)} instead of ${completeRuns}${listed ? ', listed' : ''}`]
  })
  return [...doubled, ...lost, ...wrong]
}

function inWords({ value, hits, listed }: StoredSighting): string {
  return `${value} counts ${hits}${listed ? ', listed,' : ''}`
}
