/** Seconds from 1970 to 2000, from where PostgreSQL counts moments. */
const EPOCH_MS = 946_684_800_000
const MICROSECONDS_A_MS = 1000
/** Bytes of one character in UTF-8 at most, per unit of a JavaScript text. */
const MAX_BYTES_A_UNIT = 3
const INITIAL_BYTES = 65_536
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
/** Source: PostgreSQL 16, pg_type.dat, `text`. */
const TEXT_OID = 25
const JSONB_VERSION = '\u0001'
/** What ends a word of a text search vector: its own end, and no places where it stands. */
const WORD_END = '\0\0\0'

/** Before the first row: the signature, no flags, no extension. */
const COPY_HEADER: Uint8Array = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** Behind the last row. */
const COPY_END: Uint8Array = Buffer.from([0xff, 0xff])
/** Bytes that are given to COPY in one piece. Larger ones come from the system one by one and fragment its memory. */
const PIECE_BYTES = 65_536

/** Where a row begins and ends. */
export type RowPlace = { from: number; to: number }

/**
 * Rows for COPY in its binary form, in memory that grows and is used again. The database takes a column over as it is, where it would have to search
 * a line for its ends and its escapes; and the bytes stand outside of the heap.
 *
 * The caller gives each row as many columns as it has said, in their order and of their types, and no text with a NUL.
 *
 * Source: PostgreSQL 16, "COPY", binary format; the `recv` functions of the types.
 */
export class CopyRows {
  private bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES)
  /** Bytes written so far. */
  private end = 0

  get length(): number {
    return this.end
  }

  /** What was written between two places; good until the next is written. */
  slice(from: number, to: number): Uint8Array {
    return this.bytes.subarray(from, to)
  }

  clear(): void {
    this.end = 0
  }

  /** Some of the rows as COPY reads them, in pieces; neighbours go together. */
  *pieces(places: Iterable<RowPlace>): Generator<Uint8Array> {
    yield COPY_HEADER
    let piece: RowPlace = { from: 0, to: 0 }
    for (const { from, to } of places) {
      const isNext = from === piece.to && to - piece.from <= PIECE_BYTES
      if (!isNext && piece.to > piece.from) yield this.slice(piece.from, piece.to)
      piece = { from: isNext ? piece.from : from, to }
    }
    if (piece.to > piece.from) yield this.slice(piece.from, piece.to)
    yield COPY_END
  }

  begin(columns: number): void {
    this.reserve(2)
    this.end = this.bytes.writeInt16BE(columns, this.end)
  }

  null(): void {
    this.reserve(LENGTH_BYTES)
    this.end = this.bytes.writeInt32BE(NULL_LENGTH, this.end)
  }

  /** Also for json. */
  text(value: string | undefined): void {
    if (value === undefined) {
      this.null()
      return
    }
    this.reserve(LENGTH_BYTES + value.length * MAX_BYTES_A_UNIT)
    const written = this.bytes.write(value, this.end + LENGTH_BYTES)
    this.end = this.bytes.writeInt32BE(written, this.end) + written
  }

  jsonb(value: string | undefined): void {
    this.text(value === undefined ? undefined : JSONB_VERSION + value)
  }

  boolean(value: boolean): void {
    this.reserve(LENGTH_BYTES + 1)
    this.end = this.bytes.writeUInt8(Number(value), this.bytes.writeInt32BE(1, this.end))
  }

  double(value: number | undefined): void {
    if (value === undefined) {
      this.null()
      return
    }
    this.reserve(LENGTH_BYTES + 8)
    this.end = this.bytes.writeDoubleBE(value, this.bytes.writeInt32BE(8, this.end))
  }

  /** As timestamptz. */
  moment(value: Date): void {
    this.reserve(LENGTH_BYTES + 8)
    this.end = this.bytes.writeBigInt64BE(
      BigInt(value.getTime() - EPOCH_MS) * BigInt(MICROSECONDS_A_MS),
      this.bytes.writeInt32BE(8, this.end),
    )
  }

  /** As text[]. */
  texts(values: readonly string[]): void {
    const start = this.openLength()
    this.int32(values.length === 0 ? 0 : 1)
    this.int32(0)
    this.int32(TEXT_OID)
    if (values.length > 0) {
      this.int32(values.length)
      this.int32(1)
    }
    for (const value of values) this.text(value)
    this.closeLength(start)
  }

  /** As tsvector. @param words each once, none empty */
  words(words: readonly string[]): void {
    const start = this.openLength()
    this.int32(words.length)
    if (words.length > 0) {
      const text = words.join(WORD_END) + WORD_END
      this.reserve(text.length * MAX_BYTES_A_UNIT)
      this.end += this.bytes.write(text, this.end)
    }
    this.closeLength(start)
  }

  /** As int4. */
  integer(value: number): void {
    this.int32(LENGTH_BYTES)
    this.int32(value)
  }

  /** Writes over bytes that stand already. */
  overwrite(at: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, at)
  }

  private int32(value: number): void {
    this.reserve(4)
    this.end = this.bytes.writeInt32BE(value, this.end)
  }

  private openLength(): number {
    this.int32(0)
    return this.end
  }

  private closeLength(start: number): void {
    this.bytes.writeInt32BE(this.end - start, start - LENGTH_BYTES)
  }

  private reserve(bytes: number): void {
    const wanted = this.end + bytes
    if (wanted <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.bytes.length))
    this.bytes.copy(grown, 0, 0, this.end)
    this.bytes = grown
  }
}
