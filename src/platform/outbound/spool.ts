import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DomainError } from '#kernel/errors.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { systemCode } from './connection.ts'
import { decodeBody, unpackByMagic } from './content-decoding.ts'

/** A body as it came. `codings`: how it was packed, the outermost first. */
export type Packed = { bytes: number; codings: string[] }

/** A decoded body, kept so that neither much memory nor a database connection is held while a slow sender sends. */
export type Spool = {
  /** Decoded bytes. */
  readonly bytes: number
  /** Of the decoded bytes, in hex. */
  readonly sha256: string
  readonly packed: Readonly<Packed>
  /** The body from its start, in chunks of up to 128 kB, each good until the next is asked for; may be called again. */
  read(): AsyncIterable<Buffer>
  /** Frees memory and disk space. May be called again. */
  dispose(): Promise<void>
}

/** A body of up to this many bytes stays in memory: a file costs more than such a body. Twenty collections at once hold 20 MiB at most. */
export const IN_MEMORY_BYTES = 1_048_576
const READ_CHUNK_BYTES = 131_072
const OWNER_ONLY_MODE = 0o600

/**
 * Keeps what the source says: a small body in memory, a larger one in a temporary file that has no name any more once it is open, so that even
 * a killed process leaves nothing behind.
 *
 * @param options.maxBytes decoded bytes; the one chunk that crosses the limit is not written
 * @param options.packed filled while the source is read
 * @throws AttemptFailure too_large, spool_failed; whatever the source throws
 */
export async function writeSpool(
  source: AsyncIterable<Buffer>,
  { maxBytes, packed = { bytes: 0, codings: [] }, folder = tmpdir() }: { maxBytes: number; packed?: Packed; folder?: string },
): Promise<Spool> {
  const hash = createHash('sha256')
  const small: Buffer[] = []
  let file: FileHandle | undefined
  let bytes = 0
  try {
    for await (const chunk of source) {
      if (bytes + chunk.length > maxBytes) throw new AttemptFailure('too_large', { detail: String(maxBytes) })
      hash.update(chunk)
      if (bytes + chunk.length <= IN_MEMORY_BYTES) {
        // The source may use its buffer again.
        small.push(Buffer.from(chunk))
      } else {
        file ??= await moveToFile(folder, small)
        await writeWhole(file, chunk, bytes)
      }
      bytes += chunk.length
    }
  } catch (error) {
    await file?.close()
    throw error
  }
  const body = file === undefined ? inMemory(Buffer.concat(small)) : onDisk(file, bytes)
  return { bytes, sha256: hash.digest('hex'), packed, ...body }
}

async function moveToFile(folder: string, small: Buffer[]): Promise<FileHandle> {
  const file = await asSpoolFailure(() => openNameless(folder))
  try {
    await writeWhole(file, Buffer.concat(small), 0)
  } catch (error) {
    await file.close()
    throw error
  }
  small.length = 0
  return file
}

async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `svc-spool-${randomUUID()}`)
  const file = await open(path, 'wx+', OWNER_ONLY_MODE)
  await rm(path, { force: true })
  return file
}

async function writeWhole(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  await asSpoolFailure(async () => {
    let written = 0
    while (written < chunk.length) {
      const { bytesWritten } = await file.write(chunk, written, chunk.length - written, position + written)
      written += bytesWritten
    }
  })
}

function inMemory(body: Buffer | undefined): Pick<Spool, 'read' | 'dispose'> {
  let kept = body
  return {
    async *read() {
      const whole = kept
      if (whole === undefined) throw new Error('The body is kept no longer.')
      for (let position = 0; position < whole.length; position += READ_CHUNK_BYTES)
        yield whole.subarray(position, position + READ_CHUNK_BYTES)
    },
    async dispose() {
      kept = undefined
    },
  }
}

function onDisk(file: FileHandle, bytes: number): Pick<Spool, 'read' | 'dispose'> {
  let isOpen = true
  return {
    read: () => readFrom(file, bytes),
    async dispose() {
      if (!isOpen) return
      isOpen = false
      await file.close()
    },
  }
}

async function* readFrom(file: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  let position = 0
  // One buffer for the whole body: a new one each time would be garbage of the body's size.
  const chunk = Buffer.allocUnsafe(READ_CHUNK_BYTES)
  while (position < bytes) {
    const { buffer, bytesRead } = await file.read(chunk, 0, READ_CHUNK_BYTES, position)
    if (bytesRead === 0) throw new Error('The temporary file is shorter than what was written to it.')
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function asSpoolFailure<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw new AttemptFailure('spool_failed', { detail: systemCode(error) })
  }
}

/**
 * A local copy of a list as a spool. gzip, zstd, xz and zip are recognised by their first bytes, brotli by the name (`.br`), and undone as for an answer.
 *
 * @throws feed_file_unreadable, payload_too_large, feed_malformed; the reason of an aborted `signal`
 */
export async function spoolFile(path: string, maxBytes: number, signal?: AbortSignal): Promise<Spool> {
  const file = await openRegular(path)
  const packed: Packed = { bytes: 0, codings: [] }
  const raw = counted(readToEnd(file, signal), packed)
  try {
    const isBrotli = path.endsWith('.br')
    if (isBrotli) packed.codings.push('br')
    const body = isBrotli ? decodeBody(raw, ['br']) : unpackByMagic(raw, (name) => packed.codings.push(name))
    return await writeSpool(body, { maxBytes, packed })
  } catch (error) {
    throw toFileRefusal(path, error)
  } finally {
    await file.close()
  }
}

/** Counts the bytes that pass. */
export async function* counted(source: AsyncIterable<Buffer>, packed: Packed): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    packed.bytes += chunk.length
    yield chunk
  }
}

async function* readToEnd(file: FileHandle, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  for (;;) {
    signal?.throwIfAborted()
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_CHUNK_BYTES))
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

async function openRegular(path: string): Promise<FileHandle> {
  let file: FileHandle
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be opened (${systemCode(error)})`
    throw new DomainError('feed_file_unreadable', `The file ${path} ${why}.`)
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new DomainError('feed_file_unreadable', `${path} is not a regular file. Name one file, not a folder or a device.`)
}

function toFileRefusal(path: string, error: unknown): unknown {
  if (!(error instanceof AttemptFailure)) return error
  if (error.code === 'too_large')
    return new DomainError(
      'payload_too_large',
      `The file ${path} holds more than ${error.facts.detail} bytes. Raise FEED_MAX_BYTES or split it.`,
    )
  if (error.code === 'spool_failed')
    return new DomainError('feed_file_unreadable', `The temporary folder cannot be written (${error.facts.detail}).`)
  return new DomainError('feed_malformed', `The file ${path} could not be unpacked: ${error.facts.detail}.`)
}
