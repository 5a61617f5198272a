import xz from 'xz-decompress'
import type { ByteSource } from './byte-source.ts'
import { DecodingError } from './decoding-error.ts'

/** What an archive begins with. Source: The .xz File Format, 2.1.1.1. */
export const XZ_MAGIC: readonly number[] = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]

const NOTHING = Buffer.alloc(0)

/** Answers of the decoder. Source: xz-embedded, `enum xz_ret`. */
const OK = 0
const STREAM_END = 1
const NO_PROGRESS = 8
// biome-ignore format: one table
const UNSUPPORTED: Readonly<Record<number, string>> = {
  2: 'the xz archive is checked in a way that is not known',
  3: 'the xz archive needs more memory than there is for it',
  4: 'the xz archive needs more memory than there is for it',
  6: 'the xz archive uses an option that is not read',
}

/** The decoder inside the package: a context holds two buffers of equal size and where they are read and written. */
type XzModule = {
  memory: { buffer: ArrayBuffer }
  create_context(): number
  destroy_context(context: number): void
  supply_input(context: number, bytes: number): void
  get_next_output(context: number): number
}
type XzLoader = { _getModuleInstance(): Promise<void>; _moduleInstance: { exports: XzModule } }

/**
 * What xz archives in a row hold. Memory is bounded by the dictionary of the archive, 64 MiB at most.
 *
 * The decoder is driven here and not through the package's own stream, which lets one reader at a time decode in the whole process, however slow
 * its sender is.
 *
 * @throws DecodingError, also for anything behind the last archive; whatever the source throws, as it is
 */
export async function* decodeXz(source: ByteSource): AsyncGenerator<Buffer> {
  const module = await loadModule()
  const context = module.create_context()
  try {
    const bufferBytes = wordsOf(module, context)[0] ?? 0
    for (let piece = await source.next(); piece !== undefined; piece = await source.next()) {
      for (let at = 0; at < piece.length; at += bufferBytes) {
        supply(module, context, piece.subarray(at, at + bufferBytes))
        yield* outputs(module, context)
      }
    }
    // No input says that there is no more of it; only then is an end an end.
    supply(module, context, NOTHING)
    if (!(yield* outputs(module, context))) throw new DecodingError('truncated', 'the archive ends too early')
  } finally {
    module.destroy_context(context)
  }
}

/** All that the decoder makes of its input. @returns true at the end of the last archive */
function* outputs(module: XzModule, context: number): Generator<Buffer, boolean> {
  for (;;) {
    const { chunk, isOver, hasMore } = step(module, context)
    if (chunk.length > 0) yield chunk
    if (isOver || !hasMore) return isOver
  }
}

/** A decoder of its own for each archive, so that its memory goes with it. */
async function loadModule(): Promise<XzModule> {
  // Not part of the package's types; its version is pinned.
  const loader = xz.XzReadableStream as unknown as XzLoader
  await loader._getModuleInstance()
  return loader._moduleInstance.exports
}

/** The words at the beginning of a context: size of a buffer, input, its place and end, output, its place. */
function wordsOf({ memory }: XzModule, context: number): Uint32Array {
  // Made anew each time: the memory moves when it grows.
  return new Uint32Array(memory.buffer, context, 6)
}

function supply(module: XzModule, context: number, input: Buffer): void {
  const [, at = 0] = wordsOf(module, context)
  new Uint8Array(module.memory.buffer, at, input.length).set(input)
  module.supply_input(context, input.length)
}

function step(module: XzModule, context: number): { chunk: Buffer; isOver: boolean; hasMore: boolean } {
  const result = module.get_next_output(context)
  if (result !== OK && result !== STREAM_END) throw toFault(result)
  const words = wordsOf(module, context)
  const [size = 0, , used = 0, given = 0, at = 0, bytes = 0] = words
  const chunk = Buffer.from(module.memory.buffer.slice(at, at + bytes))
  words[5] = 0
  return { chunk, isOver: result === STREAM_END, hasMore: bytes === size || used < given }
}

function toFault(result: number): DecodingError {
  if (result === NO_PROGRESS) return new DecodingError('truncated', 'the archive ends too early')
  const unsupported = UNSUPPORTED[result]
  return unsupported === undefined
    ? new DecodingError('damaged', 'the xz archive is damaged')
    : new DecodingError('unsupported', unsupported)
}
