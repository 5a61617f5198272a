import { DecodingError } from './decoding-error.ts'

const NOTHING: Buffer = Buffer.alloc(0)

/** A stream of bytes that can be read in pieces of a wanted size, and into which a piece can be put back. */
export class ByteSource {
  private readonly iterator: AsyncIterator<Buffer>
  private held: Buffer = NOTHING
  /** Bytes given so far. */
  private given = 0

  constructor(source: AsyncIterable<Buffer>) {
    this.iterator = source[Symbol.asyncIterator]()
  }

  get position(): number {
    return this.given
  }

  /** What there is, in a piece of any size above 0; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    const piece = this.held.length > 0 ? this.held : await this.pull()
    this.held = NOTHING
    if (piece !== undefined) this.given += piece.length
    return piece
  }

  /** The next `count` bytes, which stay; fewer at the end. */
  async peek(count: number): Promise<Buffer> {
    while (this.held.length < count) {
      const piece = await this.pull()
      if (piece === undefined) break
      // Copied: a sender may reuse the memory of its piece.
      this.held = Buffer.concat([this.held, piece])
    }
    return this.held.subarray(0, count)
  }

  /** Exactly `count` bytes. @throws DecodingError truncated */
  async take(count: number): Promise<Buffer> {
    const bytes = await this.peek(count)
    if (bytes.length < count) throw new DecodingError('truncated', 'the archive ends too early')
    this.held = this.held.subarray(count)
    this.given += count
    return bytes
  }

  /** Gives the end of the last piece once more. */
  putBack(bytes: Buffer): void {
    this.held = this.held.length === 0 ? bytes : Buffer.concat([bytes, this.held])
    this.given -= bytes.length
  }

  /** Lets go of the stream, read or not. */
  async close(): Promise<void> {
    await this.iterator.return?.()
  }

  private async pull(): Promise<Buffer | undefined> {
    for (;;) {
      const { done, value } = await this.iterator.next()
      if (done === true) return undefined
      if (value.length > 0) return value
    }
  }
}
