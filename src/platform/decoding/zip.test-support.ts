import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  name?: string
  content: Buffer
  /** 8 deflates; another number is written as it is, over the bytes unchanged. */
  method?: number
  flags?: number
  /** Puts length and checksum behind the file, as a writer does that cannot go back. */
  descriptor?: 'signed' | 'bare' | 'wide'
  /** Puts the lengths into the extra field for large files. */
  zip64?: boolean
  /** What the header before the file says instead of the truth. */
  says?: { crc?: number; packed?: number; bytes?: number }
  /** What the directory says instead of the truth. */
  directorySays?: { crc?: number; packed?: number; bytes?: number; offset?: number; name?: string }
}
export type ZipArchive = { entries: ZipEntry[]; comment?: string /** Entries that the end counts, when it lies. */; count?: number }

const FULL = 0xffffffff

/** A zip archive, byte by byte, also one that no honest program writes. */
export function buildZip({ entries, comment = '', count = entries.length }: ZipArchive): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { local, central } = buildEntry(entry, offset)
    parts.push(local)
    directory.push(central)
    offset += local.length
  }
  const whole = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(whole.length, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, whole, end, Buffer.from(comment)])
}

function buildEntry(entry: ZipEntry, offset: number): { local: Buffer; central: Buffer } {
  const { content, method = 8, descriptor, zip64 = false, says = {}, directorySays = {} } = entry
  const name = Buffer.from(entry.name ?? 'list.csv')
  const packed = method === 8 ? deflateRawSync(content) : content
  const truth = { crc: crc32(content), packed: packed.length, bytes: content.length }
  const flags = (entry.flags ?? 0) | (descriptor === undefined ? 0 : 8)
  const said = descriptor === undefined ? { ...truth, ...says } : { crc: 0, packed: 0, bytes: 0, ...says }
  const extra = zip64 ? zip64Extra(said.bytes, said.packed) : Buffer.alloc(0)

  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(said.crc, 14)
  header.writeUInt32LE(zip64 ? FULL : said.packed, 18)
  header.writeUInt32LE(zip64 ? FULL : said.bytes, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(extra.length, 28)

  const listed = { ...truth, offset, ...directorySays }
  const listedName = directorySays.name === undefined ? name : Buffer.from(directorySays.name)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(flags, 8)
  central.writeUInt16LE(method, 10)
  central.writeUInt32LE(listed.crc, 16)
  central.writeUInt32LE(listed.packed, 20)
  central.writeUInt32LE(listed.bytes, 24)
  central.writeUInt16LE(listedName.length, 28)
  central.writeUInt32LE(listed.offset, 42)
  return {
    local: Buffer.concat([header, name, extra, packed, descriptorOf(descriptor, truth)]),
    central: Buffer.concat([central, listedName]),
  }
}

function zip64Extra(bytes: number, packed: number): Buffer {
  const extra = Buffer.alloc(20)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(16, 2)
  extra.writeBigUInt64LE(BigInt(bytes), 4)
  extra.writeBigUInt64LE(BigInt(packed), 12)
  return extra
}

function descriptorOf(kind: ZipEntry['descriptor'], { crc, packed, bytes }: { crc: number; packed: number; bytes: number }): Buffer {
  if (kind === undefined) return Buffer.alloc(0)
  const words = Buffer.alloc(kind === 'wide' ? 20 : 12)
  words.writeUInt32LE(crc, 0)
  if (kind === 'wide') {
    words.writeBigUInt64LE(BigInt(packed), 4)
    words.writeBigUInt64LE(BigInt(bytes), 12)
  } else {
    words.writeUInt32LE(packed, 4)
    words.writeUInt32LE(bytes, 8)
  }
  return kind === 'bare' ? words : Buffer.concat([Buffer.from([0x50, 0x4b, 0x07, 0x08]), words])
}
