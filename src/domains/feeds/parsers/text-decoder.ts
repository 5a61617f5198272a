import { FeedFormatError } from './feed-row.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Bytes looked at before deciding on the encoding. Assumption: enough to tell UTF-16 without a mark from binary. */
const SNIFF_BYTES = 512
const REPLACEMENT = '\uFFFD'
/** Archives are unpacked once, before their text is read. */
const LEFT_PACKED = ', inside another one or left packed by "archive": "none"'
// biome-ignore format: one table
const BINARY_MARKS: readonly { mark: readonly number[]; name: string }[] = [
  { mark: [0x1f, 0x8b],             name: `a gzip archive${LEFT_PACKED}` },
  { mark: [0x28, 0xb5, 0x2f, 0xfd], name: `a zstd archive${LEFT_PACKED}` },
  { mark: [0xfd, 0x37, 0x7a, 0x58], name: `an xz archive${LEFT_PACKED}` },
  { mark: [0x50, 0x4b, 0x03, 0x04], name: `a zip archive${LEFT_PACKED}` },
  { mark: [0x42, 0x5a, 0x68],       name: 'a bzip2 archive, which is not read' },
  { mark: [0x37, 0x7a, 0xbc, 0xaf], name: 'a 7z archive, which is not read' },
  { mark: [0x52, 0x61, 0x72, 0x21], name: 'a RAR archive, which is not read' },
  { mark: [0x25, 0x50, 0x44, 0x46], name: 'a PDF document' },
]
/** Where a tar archive names its format. Source: POSIX.1-2001, pax, `magic`. */
const TAR_MARK = Buffer.from('ustar')
const TAR_MARK_OFFSET = 257

/** Bytes in, text out, whatever the cuts between the chunks. */
export type TextSource = { write(bytes: Buffer): string; end(): string; encoding(): Encoding }

/**
 * Decodes a feed. A byte-order mark decides and is dropped; then the setting; then UTF-16 shows itself by its zero bytes; else UTF-8.
 *
 * Undecodable bytes and NUL become U+FFFD: the rows that hold them are reported as damaged, and no store sees a NUL.
 *
 * @throws FeedFormatError for archives and other binary files
 */
export function createTextSource(wanted?: Encoding): TextSource {
  let head: Buffer | undefined = Buffer.alloc(0)
  let decode: ((bytes: Buffer) => string) | undefined
  let rest: Buffer = Buffer.alloc(0)
  let encoding: Encoding = wanted ?? 'utf-8'

  function open(bytes: Buffer): Buffer {
    refuseBinary(bytes)
    const marked = byteOrderMark(bytes)
    encoding = marked?.encoding ?? wanted ?? guessEncoding(bytes)
    decode = DECODERS[encoding]
    return marked === undefined ? bytes : bytes.subarray(marked.length)
  }

  function text(bytes: Buffer, last: boolean): string {
    if (decode === undefined) return ''
    const whole = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const cut = last ? whole.length : whole.length - unfinishedBytes(whole, encoding)
    // A copy: the caller may reuse the memory of its chunk.
    rest = Buffer.from(whole.subarray(cut))
    const out = decode(whole.subarray(0, cut))
    return out.includes('\0') ? out.replaceAll('\0', REPLACEMENT) : out
  }

  return {
    write(bytes) {
      if (head === undefined) return text(bytes, false)
      head = Buffer.concat([head, bytes])
      if (head.length < SNIFF_BYTES) return ''
      const all = open(head)
      head = undefined
      return text(all, false)
    },
    end() {
      if (head === undefined) return text(Buffer.alloc(0), true)
      const all = open(head)
      head = undefined
      return text(all, true)
    },
    encoding: () => encoding,
  }
}

const DECODERS: Record<Encoding, (bytes: Buffer) => string> = {
  'utf-8': (bytes) => bytes.toString('utf8'),
  'utf-16le': (bytes) => bytes.toString('utf16le', 0, bytes.length - (bytes.length % 2)) + (bytes.length % 2 === 1 ? REPLACEMENT : ''),
  'utf-16be': (bytes) => {
    const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    return even.swap16().toString('utf16le') + (bytes.length % 2 === 1 ? REPLACEMENT : '')
  },
  'windows-1252': (bytes) => new TextDecoder('windows-1252').decode(bytes),
}

function refuseBinary(bytes: Buffer): void {
  for (const { mark, name } of BINARY_MARKS) {
    if (mark.every((byte, i) => bytes[i] === byte)) throw notAList(name)
  }
  if (bytes.subarray(TAR_MARK_OFFSET, TAR_MARK_OFFSET + TAR_MARK.length).equals(TAR_MARK))
    throw notAList('a tar archive, which is not read')
}

function notAList(what: string): FeedFormatError {
  return new FeedFormatError(`The body is not a list but ${what}.`, { line: 1, offset: 0 })
}

function byteOrderMark(bytes: Buffer): { encoding: Encoding; length: number } | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', length: 3 }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', length: 2 }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', length: 2 }
  return undefined
}

/** Indicators are nearly all ASCII, so UTF-16 without a mark has a zero in nearly every other byte. */
function guessEncoding(bytes: Buffer): Encoding {
  const zeros = [0, 0]
  const pairs = Math.floor(Math.min(bytes.length, SNIFF_BYTES) / 2)
  for (let i = 0; i < pairs * 2; i++) if (bytes[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (pairs > 0 && odd > pairs * 0.7 && even < pairs * 0.1) return 'utf-16le'
  if (pairs > 0 && even > pairs * 0.7 && odd < pairs * 0.1) return 'utf-16be'
  return 'utf-8'
}

/** Bytes at the end that begin a character and do not finish it. */
function unfinishedBytes(bytes: Buffer, encoding: Encoding): number {
  if (encoding === 'windows-1252') return 0
  if (encoding !== 'utf-8') return bytes.length % 2
  // RFC 3629: a lead byte says how many follow; a cut before a lead byte is always a cut between characters.
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? back : 0
  }
  return 0
}
