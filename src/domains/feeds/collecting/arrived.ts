import type { Spool } from '#platform/outbound/spool.ts'

/** What came from the publisher in one collection, over all its pages: nothing until the first body is there. */
export type Arrived = { fetched_bytes: number | null; decoded_bytes: number | null; decoding: string[] | null }

/** A body whose size and packing are known. */
export type ArrivedBody = Pick<Spool, 'bytes' | 'packed'>

export function nothingArrived(): Arrived {
  return { fetched_bytes: null, decoded_bytes: null, decoding: null }
}

export function noteBody(arrived: Arrived, { bytes, packed }: ArrivedBody): void {
  arrived.fetched_bytes = (arrived.fetched_bytes ?? 0) + packed.bytes
  arrived.decoded_bytes = (arrived.decoded_bytes ?? 0) + bytes
  noteDecoding(arrived, ...packed.codings)
}

/** Pages are mostly packed alike: each way is named once. */
export function noteDecoding(arrived: Arrived, ...names: readonly string[]): void {
  arrived.decoding = [...new Set([...(arrived.decoding ?? []), ...names])]
}
