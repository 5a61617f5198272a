import { DomainError } from '#kernel/errors.ts'
import { JsonScanner } from '#kernel/json-scanner.ts'
import { isObject } from '../applicability/configurations.ts'
import { CVE_ID } from '../vulnerabilities.model.ts'

/** One prediction. Both are 0 to 1; a CVE that is not in the file has none, which is not 0. */
export type EpssRow = { cveId: string; probability: number; percentile: number }
/** What a file says of itself: which model made the scores, and for which day. The API does not name the model. */
export type EpssHeader = { model: string | undefined; day: string | undefined }

/** Characters of a line. Source: 36 in the published files; Assumption. */
const MAX_LINE_CHARS = 1000
const MODEL = /model_version:([\w.-]{1,40})/
const DAY = /score_date:(\d{4}-\d{2}-\d{2})/

/**
 * Reads EPSS scores from text in passing: the daily CSV with its comment line, or an answer of the API. Rows that are none are counted, and
 * cost themselves alone.
 *
 * Source: FIRST, EPSS data and API.
 */
export class EpssReader {
  private readonly onRow: (row: EpssRow) => void
  private reader: { push(text: string): void; end(): void } | undefined
  header: EpssHeader = { model: undefined, day: undefined }
  rows = 0
  refused = 0

  constructor(onRow: (row: EpssRow) => void) {
    this.onRow = onRow
  }

  /** @throws source_malformed for what is neither form */
  push(text: string): void {
    const first = this.reader === undefined ? text.trimStart() : text
    if (first === '') return
    this.reader ??= first.startsWith('{') ? this.readJson() : this.readCsv()
    this.reader.push(first)
  }

  /** @throws source_malformed when there was no score at all, unless there may be none, or when the JSON ends in the middle */
  end({ mayBeEmpty = false } = {}): void {
    this.reader?.end()
    if (this.rows === 0 && !mayBeEmpty)
      throw new DomainError('source_malformed', 'The file holds no EPSS score. Expected are lines of "CVE,epss,percentile".')
  }

  private take(cve: unknown, epss: unknown, percentile: unknown): void {
    const cveId = typeof cve === 'string' ? cve.trim().toUpperCase() : ''
    const probability = toShare(epss)
    const rank = toShare(percentile)
    if (!CVE_ID.test(cveId) || probability === undefined || rank === undefined) {
      this.refused++
      return
    }
    this.rows++
    this.onRow({ cveId, probability, percentile: rank })
  }

  private readCsv(): { push(text: string): void; end(): void } {
    let rest = ''
    const takeLine = (line: string) => {
      if (line === '' || line.startsWith('cve,')) return
      if (line.startsWith('#')) {
        this.header = { model: MODEL.exec(line)?.[1], day: DAY.exec(line)?.[1] }
        return
      }
      const [cve, epss, percentile] = line.split(',', 3)
      this.take(cve, epss, percentile)
    }
    return {
      push: (text) => {
        const lines = (rest + text).split(/\r?\n/)
        rest = lines.pop() ?? ''
        for (const line of lines) takeLine(line)
        if (rest.length > MAX_LINE_CHARS)
          throw new DomainError('source_malformed', 'The file is no EPSS file: one of its lines never ends.')
      },
      end: () => takeLine(rest.replace(/\r$/, '')),
    }
  }

  private readJson(): { push(text: string): void; end(): void } {
    return new JsonScanner(['data'], 'array', ({ text, fault }) => {
      const row = fault === undefined ? tryParse(text) : undefined
      if (typeof row?.['date'] === 'string') this.header = { model: undefined, day: /^\d{4}-\d{2}-\d{2}/.exec(row['date'])?.[0] }
      this.take(row?.['cve'], row?.['epss'], row?.['percentile'])
    })
  }
}

/** The API writes its numbers as texts. */
function toShare(raw: unknown): number | undefined {
  const text = typeof raw === 'number' ? String(raw) : raw
  if (typeof text !== 'string' || !/^\s*(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d{1,3})?\s*$/i.test(text)) return undefined
  const share = Number(text)
  return share >= 0 && share <= 1 ? share : undefined
}

function tryParse(text: string): Record<string, unknown> | undefined {
  try {
    const raw: unknown = JSON.parse(text)
    return isObject(raw) ? raw : undefined
  } catch {
    return undefined
  }
}
