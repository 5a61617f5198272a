import type { IndicatorType } from '#domains/indicators/indicators.model.ts'

/** What an exclusion covers; migration 0022 explains each. */
export const EXCLUSION_KINDS = ['VALUE', 'DOMAIN', 'NETWORK', 'HOST'] as const
export type ExclusionKind = (typeof EXCLUSION_KINDS)[number]

/** What is covered, in its normal form. `type` is that of a VALUE, null for patterns. */
export type Pattern = { kind: ExclusionKind; type: IndicatorType | null; value: string }

/** Characters of a reason. Source: the table's own check. */
export const REASON_MIN_CHARACTERS = 3
export const REASON_MAX_CHARACTERS = 2000
/** Days of the longest exclusion that ends by itself. Assumption: ten years. */
export const DAYS_MAX = 3650
/** Share of the base from which a pattern asks again. Source: docs/decisions/0024. */
export const ASK_AGAIN_SHARE = 0.01
/** Indicators that are shown of what an exclusion touches. Assumption. */
export const EXAMPLES = 10
/** Rows of one page. Source: docs/decisions/0006. */
export const EXCLUSION_PAGE_ROWS = 50
/** Entries of a warning list that can become exclusions. Assumption: longer ones name the most visited sites, which host harmful things as well. */
export const LIST_EXCLUSIONS_MAX = 100_000

/** Which exclusions a list shows. */
export const EXCLUSION_STATES = ['ACTIVE', 'ENDED'] as const
export type ExclusionState = (typeof EXCLUSION_STATES)[number]
