import { DomainError } from '#kernel/errors.ts'
import { isTooDeep, JsonFault, JsonScanner, type RawRecord } from '#kernel/json-scanner.ts'
import { isObject } from '../applicability/configurations.ts'
import type { ReadRecord } from './cve-record.ts'
import { toCveRecord } from './nvd-record.ts'

/** Characters of one record. Source: the largest published one has about 720,000; memory is bounded by it. */
export const MAX_RECORD_CHARS = 4_194_304
/** The lists that records stand in: NVD's own, the container of the CVE-by-year archives, and the one of the removed form 1.1. */
const LISTS = ['vulnerabilities', 'cve_items', 'CVE_Items']
/** Characters at the beginning in which an envelope says how many records there are. */
const ENVELOPE_CHARS = 4096

/** One record as its text, cut out and not read yet. */
export type UnreadRecord = {
  text: string
  /** @throws source_malformed for a record of the removed form 1.1 */
  read(): ReadRecord
}

/** What stands around the records of an answer of NVD's API, where it is stated. */
export type NvdEnvelope = { totalResults: number | undefined; startIndex: number | undefined; timestamp: string | undefined }

/**
 * Reads CVE records from JSON text in passing: NVD's API answer or year file (`vulnerabilities`), an archive of bare records (`cve_items`),
 * or one record alone. Memory is bounded by one record.
 */
export class NvdReader {
  private readonly scanner: JsonScanner
  private readonly onRecord: (record: UnreadRecord) => void
  /** The text so far, as long as it may be one record alone. */
  private head: string | undefined = ''
  private envelopeText = ''

  constructor(onRecord: (record: UnreadRecord) => void) {
    this.onRecord = onRecord
    this.scanner = new JsonScanner([LISTS], 'array', (record) => this.take(record), MAX_RECORD_CHARS)
  }

  /** @throws source_malformed where the text stops being JSON; the records before it have been given */
  push(text: string): void {
    if (this.envelopeText.length < ENVELOPE_CHARS) this.envelopeText += text.slice(0, ENVELOPE_CHARS)
    if (this.head !== undefined) this.head = this.head.length + text.length > MAX_RECORD_CHARS ? undefined : this.head + text
    this.scanner.push(text)
  }

  /** @throws source_malformed when the text ends in the middle, or holds no CVE record at all */
  end(): void {
    try {
      this.scanner.end()
    } catch (error) {
      const alone = error instanceof JsonFault && this.head !== undefined ? recordAlone(this.head) : undefined
      if (alone === undefined) throw error
      this.onRecord({ text: this.head ?? '', read: () => alone })
    }
  }

  envelope(): NvdEnvelope {
    const [, total] = /"totalResults"\s*:\s*(\d{1,9})/.exec(this.envelopeText) ?? []
    const [, start] = /"startIndex"\s*:\s*(\d{1,9})/.exec(this.envelopeText) ?? []
    const [, timestamp] = /"timestamp"\s*:\s*"([\dTZ:.+-]{10,35})"/.exec(this.envelopeText) ?? []
    return { totalResults: toNumber(total), startIndex: toNumber(start), timestamp }
  }

  private take({ text, line, fault }: RawRecord): void {
    // It is a list, so it is not one record alone.
    this.head = undefined
    if (fault !== undefined) {
      const reason = fault === 'too_large' ? `longer than ${MAX_RECORD_CHARS} characters` : 'nested too deep'
      this.onRecord({ text, read: () => ({ kind: 'refused', id: undefined, reason: `the record at line ${line} is ${reason}` }) })
      return
    }
    this.onRecord({ text, read: () => readRecord(text, line) })
  }
}

function readRecord(text: string, line: number): ReadRecord {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return { kind: 'refused', id: undefined, reason: `the record at line ${line} is no JSON` }
  }
  if (isObject(raw) && isObject(raw['cve']) && isObject(raw['cve']['CVE_data_meta']))
    throw new DomainError(
      'source_malformed',
      'This is a file of the NVD form 1.1, which was withdrawn in 2025 and is not read. Download the 2.0 file of the same year (nvdcve-2.0-YYYY.json.gz).',
    )
  return toCveRecord(raw)
}

/** A file that holds one record and nothing else. */
function recordAlone(text: string): ReadRecord | undefined {
  if (isTooDeep(text)) return undefined
  try {
    const record = toCveRecord(JSON.parse(text))
    return record.kind === 'refused' && record.id === undefined ? undefined : record
  } catch {
    return undefined
  }
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
