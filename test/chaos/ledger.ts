/**
 * What a feed must amount to after complete and cut-off runs, kept the naive way: each complete run is written down for every value that it lists.
 * Moments are those of the ends of the runs, milliseconds.
 */
export type Ledger = Map<string, { completeRuns: number; listed: boolean; firstRunAt: number; lastRunAt: number }>

/** Counts one complete run over the given list. */
export function countRun(ledger: Ledger, list: readonly string[], runAt: number): void {
  for (const entry of ledger.values()) entry.listed = false
  for (const value of list) {
    const { completeRuns, firstRunAt } = ledger.get(value) ?? { completeRuns: 0, firstRunAt: runAt }
    ledger.set(value, { completeRuns: completeRuns + 1, listed: true, firstRunAt, lastRunAt: runAt })
  }
}

export type StoredSighting = { value: string; hits: number; listed: boolean; firstSeen: number; lastSeen: number }

type Counted = { hits: number; listed: boolean }
type Expected = Ledger extends Map<string, infer Entry> ? Entry : never

/** Values that are lost, doubled, or wrong in hits, listing or moments; none when all is as the ledger says. */
export function differences(ledger: Ledger, stored: readonly StoredSighting[]): string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  for (const sighting of stored) {
    if (seen.has(sighting.value)) faults.push(`${sighting.value} is stored twice`)
    seen.add(sighting.value)
    const expected = ledger.get(sighting.value)
    faults.push(
      ...(expected === undefined ? wrongStray(sighting) : [...wrongCount(sighting, expected), ...wrongMoments(sighting, expected)]),
    )
  }
  for (const value of ledger.keys()) if (!seen.has(value)) faults.push(`${value} is lost`)
  return faults
}

/** A value that only cut-off runs saw was seen once, and is on no complete list. */
function wrongStray({ value, ...counted }: StoredSighting): string[] {
  return counted.hits === 1 && !counted.listed ? [] : [`${value} was on no complete list, and counts ${inWords(counted)}`]
}

function wrongCount({ value, ...counted }: StoredSighting, { completeRuns: hits, listed }: Expected): string[] {
  if (counted.hits === hits && counted.listed === listed) return []
  return [`${value} counts ${inWords(counted)} instead of ${inWords({ hits, listed })}`]
}

/** A cut-off run may have seen a value earlier or later than the complete ones did, but what is listed was last seen by the last of them. */
function wrongMoments({ value, firstSeen, lastSeen, listed }: StoredSighting, { firstRunAt, lastRunAt }: Expected): string[] {
  const faults: string[] = []
  if (firstSeen > firstRunAt) faults.push(`${value} was first seen ${firstSeen - firstRunAt} ms after the first run that listed it`)
  if (lastSeen < lastRunAt || (listed && lastSeen !== lastRunAt))
    faults.push(`${value} was last seen ${lastSeen - lastRunAt} ms after the last run that listed it`)
  return faults
}

function inWords({ hits, listed }: Counted): string {
  return `${hits} (${listed ? '' : 'not '}listed)`
}
