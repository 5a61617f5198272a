import type { RangeAnswer } from '../versions/version-range.ts'
import type { Truth } from './truth.ts'

/** One row that names the asset's product, and how it was judged. */
export type Finding = {
  source: 'NVD' | 'CNA'
  /** Number of the configuration, from 1. */
  configuration: number | undefined
  criteria: string
  /** The versions that it names, in words. */
  range: string
  version: RangeAnswer
  /** Of a version that is outside: which bound it breaks, in words. */
  broken: string | undefined
  /** Whether what it asks beside the version holds; only asked when the version is inside. */
  holds: Truth
  /** What must hold and is not known, in words. */
  missing: readonly string[]
  /** What must hold and does not, in words. */
  denied: readonly string[]
}
