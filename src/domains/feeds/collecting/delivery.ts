import type { FeedFormat } from '../feeds.model.ts'

/**
 * What a feed means by what it sends. A `listing` says "this is all that I hold now": a value that is absent from it is gone. A `cursor` says
 * "this is new since": nothing is ever gone by absence, and a value that comes again has been seen once more.
 */
export type Delivery = 'listing' | 'cursor'

const DELIVERY: Record<FeedFormat, Delivery> = { CSV: 'listing', JSON: 'listing', STIX: 'listing', TAXII: 'cursor', PULSE: 'cursor' }

/** How feeds of a format deliver. Source: docs/decisions/0015. */
export function deliveryOf(format: FeedFormat): Delivery {
  return DELIVERY[format]
}
