import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Feed, type ProbeResult, probeFeed, readFeed, useChangeFeed, useCreateFeed } from '../../api/feeds.ts'
import { type ApiProblem, toProblem } from '../../api/problem.ts'
import {
  changedFields,
  creationOf,
  draftOf,
  EMPTY_DRAFT,
  type FeedDraft,
  nameFromUrl,
  patchOf,
  probeOf,
  rebase,
  testedPart,
} from './feed-draft.ts'
import { formatFromUrl } from './feed-formats.ts'
import { tryParserText } from './parser-text.ts'
import { sourcesText } from './sources.text.ts'

const text = sourcesText.dialog

const NOTHING: ReadonlySet<string> = new Set()

/** Draft, test and saving of the source form. `feed` is the version that is changed; undefined for a new source. */
export function useSourceForm(feed: Feed | undefined) {
  const [base, setBase] = useState(feed)
  const [draft, setDraft] = useState<FeedDraft>(() => (feed === undefined ? EMPTY_DRAFT : draftOf(feed)))
  const [named, setNamed] = useState(feed !== undefined)
  const [formatted, setFormatted] = useState(feed !== undefined)
  const [tested, setTested] = useState<string>()
  const [newer, setNewer] = useState<Feed>()
  const [corrected, setCorrected] = useState<ReadonlySet<string>>(NOTHING)
  const creation = useCreateFeed()
  const change = useChangeFeed()
  const probe = useMutation({ mutationFn: async (of: FeedDraft) => await probeFeed(probeOf(of)) })
  const part = testedPart(draft)
  const problem = firstProblem(creation.error, change.error)
  const probeProblem = firstProblem(probe.error)

  const set = (patch: Partial<FeedDraft>) => {
    if (patch.name !== undefined) setNamed(patch.name.trim() !== '')
    if (patch.format !== undefined) setFormatted(true)
    setCorrected((before) => new Set([...before, ...Object.keys(patch)]))
    setDraft((before) => {
      const { url } = patch
      if (url === undefined) return { ...before, ...patch }
      const guess = formatted ? undefined : formatFromUrl(url)
      return { ...before, ...patch, ...(named ? {} : { name: nameFromUrl(url) }), ...(guess === undefined ? {} : { format: guess }) }
    })
  }

  const result = tested === part ? probe.data : undefined
  const verdict = judge({ draft, base, result })

  return {
    base,
    draft,
    set,
    isEdit: base !== undefined,
    probe: { result: probe.data, problem: probeProblem, busy: probe.isPending },
    /** The result on screen belongs to an earlier draft. */
    isStale: tested !== undefined && tested !== part,
    ...verdict,
    saving: creation.isPending || change.isPending,
    problem: newer === undefined ? problem : undefined,
    /** Every refusal stands at a field, so that there is nothing left to say. */
    isExplained: isExplained(problem),
    newer,
    /** The server's words for one field, of the last saving or else of the last test; gone once the field is changed. */
    messageOf: (field: string): string | undefined =>
      corrected.has(field.split('.')[0] ?? field) ? undefined : (fieldMessage(problem, field) ?? fieldMessage(probeProblem, field)),
    parserMessages: corrected.has('parser') ? [] : parserMessages(problem ?? probeProblem),
    test: () => {
      setCorrected(NOTHING)
      creation.reset()
      change.reset()
      setTested(part)
      probe.mutate(draft)
    },
    save: (onDone: (saved: Feed) => void) => {
      setCorrected(NOTHING)
      if (base === undefined) {
        creation.mutate(creationOf(draft), { onSuccess: onDone })
        return
      }
      const onError = (error: unknown) => {
        if (toProblem(error).code === 'conflict') void readFeed(base.id).then(setNewer, () => undefined)
      }
      change.mutate({ id: base.id, patch: patchOf(draft, base) }, { onSuccess: onDone, onError })
    },
    /** Answers a conflict: `drop` begins again with the newer version, else the changes stay on top of it. */
    resolve: (answer: 'drop' | 'keep') => {
      if (newer === undefined || base === undefined) return
      setDraft(answer === 'drop' ? draftOf(newer) : rebase(draft, base, newer))
      setBase(newer)
      setNewer(undefined)
      change.reset()
    },
  }
}

export type SourceFormState = ReturnType<typeof useSourceForm>

type Verdict = {
  parserBad: boolean
  /** The reading was tested as it stands, and gave at least one value. */
  isTested: boolean
  /** Why the draft can be neither tested nor saved. */
  draftReason: true | string
  /** Why it cannot be saved with the usual button. */
  saveReason: true | string
  /** True when only the missing test stands against saving. */
  mayForce: boolean
}

/** What stands against testing and saving. `result` is the test of this very draft. */
function judge({ draft, base, result }: { draft: FeedDraft; base: Feed | undefined; result: ProbeResult | undefined }): Verdict {
  const parserBad = tryParserText(draft.parser) === undefined
  const draftReason = draft.url.trim() === '' ? text.needsUrl : parserBad ? text.parserBad : true
  const isTested = result !== undefined && result.accepted_count > 0
  // What decides about the reading is as it was last saved, so that there is nothing to test.
  const needsNoTest = base !== undefined && testedPart(draft) === testedPart(draftOf(base))
  const testReason = needsNoTest || isTested ? true : result === undefined ? text.needsTest : text.unreadable
  const changeReason = base !== undefined && changedFields(draftOf(base), draft).length === 0 ? text.nothingChanged : true
  return {
    parserBad,
    isTested,
    draftReason,
    saveReason: first(draftReason, changeReason, testReason),
    mayForce: draftReason === true && changeReason === true && testReason !== true,
  }
}

function first(...reasons: readonly (true | string)[]): true | string {
  return reasons.find((reason) => reason !== true) ?? true
}

function firstProblem(...errors: readonly (Error | null)[]): ApiProblem | undefined {
  const error = errors.find((candidate) => candidate !== null)
  return error == null ? undefined : toProblem(error)
}

function isExplained(problem: ApiProblem | undefined): boolean {
  const shown = new Set<string>([...Object.keys(EMPTY_DRAFT)])
  const fields = problem?.fields ?? []
  return fields.length > 0 && fields.every(({ field }) => shown.has(field) || field.startsWith('parser.'))
}

function fieldMessage(problem: ApiProblem | undefined, field: string): string | undefined {
  // By exact name: the end of `parser.type` is not the form's own `type`.
  return problem?.fields.find((entry) => entry.field === field)?.message
}

/** Refused reader settings, as `delimiter must be one of ...`. */
function parserMessages(problem: ApiProblem | undefined): string[] {
  return (problem?.fields ?? [])
    .filter(({ field }) => field === 'parser' || field.startsWith('parser.'))
    .map(({ field, message }) => `${field.replace('parser.', '')} ${message}`)
}
