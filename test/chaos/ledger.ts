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
  const faults: string[] = []
  const seen = new Set<string>()
  for (const { value, hits, listed } of stored) {
    if (seen.has(value)) faults.push(`${value} is stored twice`)
    seen.add(value)
    const expected = ledger.get(value)
    // A value that only cut-off runs saw was seen once, and is on no complete list.
    if (expected === undefined) {
      if (hits !== 1 || listed) faults.push(`${value} was on no complete list, and counts ${hits}${listed ? ', listed' : ''}`)
    } else if (expected.completeRuns !== hits || expected.listed !== listed) {
      faults.push(
        `${value} counts ${hits}${listed ? ', listed' : ''} instead of ${expected.completeRuns}${expected.listed ? ', listed' : ''}`,
      )
    }
  }
  for (const value of ledger.keys()) if (!seen.has(value)) faults.push(`${value} is lost`)
  return faults
}
