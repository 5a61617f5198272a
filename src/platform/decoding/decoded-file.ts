import { constants as fsConstants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import xz from 'xz-decompress'
import { DomainError } from '#kernel/errors.ts'

/** A local file, unpacked as it is read. */
export type DecodedFile = {
  /** Of the file as it lies on the disk. */
  readonly bytes: number
  /** How many of them have been read. */
  bytesRead(): number
  /** The decoded bytes, once, in chunks that are good until the next is asked for; closes the file at its end or when it is left. */
  read(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

const READ_CHUNK_BYTES = 131_072
const DECODED_CHUNK_BYTES = 131_072
const HEAD_BYTES = 6
/** Source: RFC 1952, 2.3.1; The .xz File Format, 2.1.1.1. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])
const XZ_MAGIC = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])

/**
 * Opens a file that may be packed by gzip or xz, whatever its name says. Memory is bounded by the windows of the packing.
 *
 * @throws source_unreadable when there is no such regular file; `read` throws source_malformed for one that is damaged or ends too early
 */
export async function openDecodedFile(path: string): Promise<DecodedFile> {
  const file = await openRegular(path)
  const { size } = await file.stat()
  let position = 0

  async function* raw(): AsyncGenerator<Buffer> {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_CHUNK_BYTES), 0, READ_CHUNK_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  return {
    bytes: size,
    bytesRead: () => position,
    async *read() {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      const head = buffer.subarray(0, bytesRead)
      try {
        if (head.equals(XZ_MAGIC)) yield* unxz(raw())
        else if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) yield* gunzip(raw())
        else yield* raw()
      } catch (error) {
        throw toRefusal(path, error)
      }
    },
    close: async () => await file.close(),
  }
}

async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const decoder = createGunzip({ chunkSize: DECODED_CHUNK_BYTES })
  const feeding = pipeline(source, decoder)
  // The loop below meets the same error; without this line it would also count as unhandled.
  feeding.catch(() => undefined)
  try {
    for await (const chunk of decoder) yield chunk
    await feeding
  } finally {
    decoder.destroy()
  }
}

async function* unxz(source: AsyncGenerator<Buffer>): AsyncGenerator<Uint8Array> {
  const packed = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
  const reader = new xz.XzReadableStream(packed).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function openRegular(path: string): Promise<FileHandle> {
  let file: FileHandle
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    file = await open(path, fsConstants.O_RDONLY | fsConstants.O_NONBLOCK)
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be opened (${codeOf(error)})`
    throw new DomainError('source_unreadable', `The file ${path} ${why}.`)
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new DomainError('source_unreadable', `${path} is not a regular file. Name files, not folders or devices.`)
}

function toRefusal(path: string, error: unknown): unknown {
  if (error instanceof DomainError) return error
  const code = codeOf(error)
  if (code === 'Z_BUF_ERROR')
    return new DomainError('source_malformed', `The file ${path} ends in the middle: it was not downloaded whole.`)
  if (code.startsWith('Z_') || (error instanceof Error && /get_next_output|xz/i.test(error.message)))
    return new DomainError(
      'source_malformed',
      `The file ${path} is damaged, or was not downloaded whole: it cannot be unpacked to its end.`,
    )
  return error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
