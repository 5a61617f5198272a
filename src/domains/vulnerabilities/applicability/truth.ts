/** What can be known: true, false, or unknown because a fact is missing. */
export type Truth = 'T' | 'F' | 'U'

/** Kleene's three-valued logic, the order F < U < T: `and` is the least. */
export function allOf(truths: readonly Truth[]): Truth {
  if (truths.includes('F')) return 'F'
  return truths.includes('U') ? 'U' : 'T'
}

/** `or` is the greatest. Nothing at all holds for nobody. */
export function anyOf(truths: readonly Truth[]): Truth {
  if (truths.includes('T')) return 'T'
  return truths.includes('U') ? 'U' : 'F'
}

/** What is unknown stays unknown when it is turned. */
export function not(truth: Truth): Truth {
  if (truth === 'U') return 'U'
  return truth === 'T' ? 'F' : 'T'
}

export function toTruth(holds: boolean): Truth {
  return holds ? 'T' : 'F'
}
