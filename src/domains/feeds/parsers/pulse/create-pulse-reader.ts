import { MAX_RECORD_DEPTH, type RawRecord } from '#kernel/json-scanner.ts'
import { excerpt, FeedFormatError, type FeedRow, type ReadSummary, type RowReader } from '../feed-row.ts'
import { JsonScanner } from '../json-scanner.ts'
import { refuseMarkup } from '../read-csv.ts'
import { cleanText } from '../stix/clean-text.ts'
import { factsOf, isObject, type PulseFacts, pulseRows } from './pulse-rows.ts'

/** Characters of one pulse, all its indicators included. Assumption: some 50 000 indicators; memory is bounded by it. */
const MAX_PULSE_CHARS = 16_777_216
const MAX_SHOWN_CHARS = 200

/**
 * Reads pulses: a page of the provider's API (`{"results": […]}`), or an array of pulses. Every indicator is a row.
 *
 * @param isWanted told of each pulse once; the rows of those that are not wanted are left out
 */
export function createPulseReader(isWanted: (pulse: PulseFacts) => boolean = () => true): RowReader {
  let rows = 0
  let head = ''
  let source: JsonScanner | undefined
  let out: FeedRow[] = []

  function give(row: FeedRow): void {
    rows++
    out.push(row)
  }

  function take({ text, line, fault }: RawRecord): void {
    if (fault !== undefined) {
      const limit = fault === 'too_large' ? `is longer than ${MAX_PULSE_CHARS} characters` : `nests deeper than ${MAX_RECORD_DEPTH} levels`
      give(malformed(line, text, `The pulse ${limit}.`))
      return
    }
    const pulse = parsed(text, line)
    if (!isObject(pulse)) give(malformed(line, text, 'The entry is not a pulse.'))
    else if (isWanted(factsOf(pulse))) for (const row of pulseRows(pulse, line)) give(row)
  }

  return {
    push(text, into) {
      out = into
      if (source === undefined) {
        head += text
        const start = head.trimStart().charAt(0)
        if (start === '') return
        refuseMarkup(head)
        source = new JsonScanner(start === '[' ? [] : ['results'], 'array', take, MAX_PULSE_CHARS)
        source.push(head)
        head = ''
      } else source.push(text)
    },
    end(into) {
      out = into
      if (source === undefined) throw new FeedFormatError('The body is empty.', { line: 1, offset: 0 })
      source.end()
    },
    flush() {},
    summary: (encoding) => ({
      rows,
      blank: 0,
      comments: 0,
      filtered: 0,
      withoutValue: 0,
      detected: { format: 'PULSE', encoding, stripPort: false, sampleRows: 0, sampleValid: 0 },
    }),
  } satisfies RowReader & { summary(encoding: string): ReadSummary }
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FeedFormatError(`The JSON is broken at line ${line}: "${excerpt(text)}".`, { line })
  }
}

function malformed(line: number, text: string, reason: string): FeedRow {
  return { line, raw: excerpt(cleanText(text.slice(0, MAX_SHOWN_CHARS)), MAX_SHOWN_CHARS), problem: { code: 'malformed_row', reason } }
}
