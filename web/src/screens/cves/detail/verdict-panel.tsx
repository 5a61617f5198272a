import { TextInput } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import { useVerdict, type Verdict } from '../../../api/cves.ts'
import { toProblem } from '../../../api/problem.ts'
import { FactList } from '../../../ui/fact-list.tsx'
import { ProblemNotice } from '../../../ui/problem-notice.tsx'
import { ReasonButton } from '../../../ui/reason-button.tsx'
import { SectionPanel } from '../../../ui/section-panel.tsx'
import { StateWord } from '../../../ui/state-word.tsx'
import classes from '../cves.module.css'
import type { AffectedRow } from './affected-rows.ts'
import { detailText } from './detail.text.ts'

const text = detailText.verdict
const NOTHING = { vendor: '', product: '', version: '', platform: '' }
/** Longest text that the API takes, characters. Source: src/domains/vulnerabilities/cves.schemas.ts. */
const MAX_CHARACTERS = 200
/** Products that are proposed. Assumption: more is no help. */
const PROPOSED = 50

/** Asks for what somebody runs, and says in words whether the CVE hits it. */
export function VerdictPanel({ id, rows }: { id: string; rows: readonly AffectedRow[] }) {
  const [asset, setAsset] = useState(NOTHING)
  const verdict = useVerdict(id)
  const listId = useId()
  const problem = verdict.error === null ? undefined : toProblem(verdict.error)
  const field = (name: keyof typeof NOTHING) => ({
    label: text[name],
    value: asset[name],
    error: problem?.fieldMessage(name),
    maxLength: MAX_CHARACTERS,
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ currentTarget: { value } }: FormEvent<HTMLInputElement>) => setAsset((before) => ({ ...before, [name]: value })),
  })
  const isNamed = asset.product.trim() !== ''
  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (isNamed) verdict.mutate({ ...given(asset), product: asset.product.trim() })
  }
  return (
    <SectionPanel title={text.title}>
      <form className={classes['form']} onSubmit={ask}>
        <TextInput {...field('product')} list={listId} placeholder={text.productHint} />
        <TextInput {...field('version')} placeholder={text.optional} />
        <TextInput {...field('vendor')} placeholder={text.optional} />
        <TextInput {...field('platform')} placeholder={text.platformHint} />
        <datalist id={listId}>
          {[...new Set(rows.map(({ product }) => product))].slice(0, PROPOSED).map((product) => (
            <option key={product} value={product} />
          ))}
        </datalist>
        <ReasonButton type="submit" loading={verdict.isPending} disabledReason={isNamed ? true : text.productFirst}>
          {text.ask}
        </ReasonButton>
      </form>
      <div role="status">
        {problem !== undefined && <ProblemNotice problem={problem} />}
        {verdict.data !== undefined && <Answer verdict={verdict.data} />}
      </div>
    </SectionPanel>
  )
}

function Answer({ verdict: { verdict, explanation, missing, source, configuration, criteria, range } }: { verdict: Verdict }) {
  const by = source === null ? text.nobody : source === 'NVD' ? text.nvd(configuration) : text.author
  return (
    <div className={classes['answer']}>
      <span className={classes['answerWord']}>
        <StateWord state={text.states[verdict]} word={text.words[verdict]} />
      </span>
      <p>{explanation}</p>
      {missing.length > 0 && (
        <div>
          <b>{text.missing}</b>
          <ul className={classes['missing']}>
            {missing.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
      )}
      <FactList
        facts={[
          { name: text.by, value: by },
          ...(criteria === null ? [] : [{ name: text.criteria, value: <span className="svc-mono">{criteria}</span> }]),
          ...(range === null ? [] : [{ name: text.range, value: range }]),
        ]}
      />
    </div>
  )
}

/** What was filled in, apart from the product. */
function given({ vendor, version, platform }: typeof NOTHING): { vendor?: string; version?: string; platform?: string } {
  return Object.fromEntries(
    Object.entries({ vendor, version, platform }).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )
}
