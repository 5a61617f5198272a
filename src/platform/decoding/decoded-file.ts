import { constants as fsConstants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { DomainError } from '#kernel/errors.ts'
import { DecodingError } from './decoding-error.ts'
import { unpack } from './unpack.ts'
import { XZ_MAGIC } from './xz.ts'
import { startXz, unxzBy } from './xz-program.ts'

/** A local file, unpacked as it is read. */
export type DecodedFile = {
  /** Of the file as it lies on the disk. */
  readonly bytes: number
  /** How many of them have been read. */
  bytesRead(): number
  /** The decoded bytes, once, in chunks that are good until the next is asked for. */
  read(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

const READ_BYTES = 131_072
/** Below it a file is unpacked before a program has started. Assumption: measured. */
const PROGRAM_FROM_BYTES = 1_048_576

/**
 * Opens a file that may be packed in any way that `unpack` knows, whatever its name says. A large one in xz is unpacked by the program of that name where
 * there is one: in half of the time, and beside the work of the reader. Memory is bounded by the windows of the packing.
 *
 * @throws source_unreadable when there is no such regular file; `read` throws source_malformed for one that is damaged or ends too early
 */
export async function openDecodedFile(path: string): Promise<DecodedFile> {
  const file = await openRegular(path)
  const { size } = await file.stat()
  let position = 0

  async function* packed(): AsyncGenerator<Buffer> {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  return {
    bytes: size,
    bytesRead: () => position,
    async *read() {
      try {
        const program = size >= PROGRAM_FROM_BYTES && (await isXz(file)) ? await startXz() : undefined
        yield* program === undefined ? unpack(packed()) : unxzBy(program, packed())
      } catch (error) {
        throw error instanceof DecodingError ? toRefusal(path, error) : error
      }
    },
    close: async () => await file.close(),
  }
}

async function isXz(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(XZ_MAGIC.length), 0, XZ_MAGIC.length, 0)
  return bytesRead === XZ_MAGIC.length && XZ_MAGIC.every((byte, at) => buffer[at] === byte)
}

async function openRegular(path: string): Promise<FileHandle> {
  let file: FileHandle
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    file = await open(path, fsConstants.O_RDONLY | fsConstants.O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be opened (${code})`
    throw new DomainError('source_unreadable', `The file ${path} ${why}.`)
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new DomainError('source_unreadable', `${path} is not a regular file. Name files, not folders or devices.`)
}

function toRefusal(path: string, { fault, message }: DecodingError): DomainError {
  if (fault === 'truncated')
    return new DomainError('source_malformed', `The file ${path} ends in the middle: it was not downloaded whole (${message}).`)
  return new DomainError('source_malformed', `The file ${path} cannot be unpacked to its end: ${message}.`)
}
