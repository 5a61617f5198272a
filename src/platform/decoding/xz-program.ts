import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { DecodingError } from './decoding-error.ts'

/** One thread, and the dictionary that the decoder of `decodeXz` accepts: more would be memory of somebody else's choosing. */
const ARGUMENTS = ['--decompress', '--stdout', '--format=xz', '--threads=1', '--memlimit-decompress=80MiB']
/** Nothing of the service's own environment; without a PATH only the system's own programs are found. Words are in English. */
const ENVIRONMENT = { LC_ALL: 'C' }
const MAX_COMPLAINT_CHARS = 1000

/** A running `xz`; undefined where the system has none. */
export async function startXz(command = 'xz'): Promise<ChildProcessWithoutNullStreams | undefined> {
  const program = spawn(command, ARGUMENTS, { env: ENVIRONMENT })
  return await once(program, 'spawn').then(
    () => program,
    () => undefined,
  )
}

/** What xz archives in a row hold, unpacked by the program in a process of its own, which ends with its reader. @throws DecodingError */
export async function* unxzBy(program: ChildProcessWithoutNullStreams, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let complaint = ''
  program.stderr.setEncoding('utf8').on('data', (words: string) => {
    complaint = (complaint + words).slice(0, MAX_COMPLAINT_CHARS)
  })
  const ended: Promise<unknown[]> = once(program, 'close')
  const feeding = pipeline(source, program.stdin).then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    for await (const chunk of program.stdout) yield chunk
    const [status] = await ended
    const fault = await feeding
    // A program that refuses its input does not read it to its end.
    if (fault !== undefined && !isBrokenPipe(fault)) throw fault
    if (status !== 0) throw toDecodingError(complaint)
  } finally {
    program.kill()
  }
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
}

/** Source: xz 5, messages. */
function toDecodingError(complaint: string): DecodingError {
  if (complaint.includes('Unexpected end of input')) return new DecodingError('truncated', 'the archive ends too early')
  if (complaint.includes('Memory usage limit'))
    return new DecodingError('unsupported', 'the xz archive needs more memory than there is for it')
  if (complaint.includes('Unsupported')) return new DecodingError('unsupported', 'the xz archive uses an option that is not read')
  return new DecodingError('damaged', 'the xz archive is damaged')
}
