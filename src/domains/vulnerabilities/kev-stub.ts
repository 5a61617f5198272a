import { keptWords } from './search-words.ts'
import { toMoment } from './sources/nvd-record.ts'

/** What stands for a CVE that KEV names before NVD has described it. */
export type KevStub = { id: string; description: string; words: string[]; published: string; last_modified: string }

/** The status of such a CVE, among the words of NVD. */
export const STUB_STATUS = 'Known from KEV only'

/** Before any record of NVD, so that whatever it says of a CVE is newer. Source: CVE Program, "History": the first list is of 1999. */
const BEFORE_ALL = '1999-01-01T00:00:00.000Z'

/** Described by the name that KEV gives it, and known since that day. */
export function kevStub({ cve_id, name, date_added }: { cve_id: string; name: string; date_added: string }): KevStub {
  return {
    id: cve_id,
    description: name,
    words: keptWords(name),
    published: toMoment(date_added)?.toISOString() ?? BEFORE_ALL,
    last_modified: BEFORE_ALL,
  }
}
