import { Button, Modal, NativeSelect, TagsInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { type Severity, SUBMISSION_MAX_ITEMS, type SubmissionResult, useSubmitIndicators } from '../../api/indicators.ts'
import { toProblem } from '../../api/problem.ts'
import { FormEnd } from '../../ui/form-end.tsx'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SendTextarea } from '../../ui/send-textarea.tsx'
import { uiText } from '../../ui/ui.text.ts'
import classes from './iocs.module.css'
import { SEVERITIES } from './iocs.search.ts'
import { iocsText } from './iocs.text.ts'
import { type PastedValue, splitValues } from './split-values.ts'
import { takeSubmitDraft } from './submit-draft.ts'
import { SubmitResult } from './submit-result.tsx'
import { TypeCounts } from './type-counts.tsx'

const text = iocsText.submission
/** Longest tag and most tags that the API takes. */
const TAG_MAX_CHARACTERS = 100
const TAGS_MAX = 20
const DESCRIPTION_MAX_CHARACTERS = 2000

/** Asks for values to submit and shows what became of each. */
export function SubmitDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal opened={open} onClose={onClose} title={text.title} size={680} closeButtonProps={{ 'aria-label': uiText.close }}>
      <SubmitSteps onClose={onClose} />
    </Modal>
  )
}

function SubmitSteps({ onClose }: { onClose: () => void }) {
  const [pasted, setPasted] = useState('')
  const [answered, setAnswered] = useState<{ result: SubmissionResult; values: readonly PastedValue[] }>()
  useEffect(() => {
    // Not as the initial state: a draft is taken once, and React may run an initial state twice.
    const draft = takeSubmitDraft()
    if (draft !== '') setPasted(draft)
  }, [])
  if (answered === undefined)
    return (
      <SubmitForm pasted={pasted} onPasted={setPasted} onClose={onClose} onDone={(result, values) => setAnswered({ result, values })} />
    )
  const again = (next: string) => {
    setPasted(next)
    setAnswered(undefined)
  }
  return <SubmitResult {...answered} onClose={onClose} onAgain={again} />
}

type SubmitFormProps = {
  pasted: string
  onPasted: (text: string) => void
  onClose: () => void
  onDone: (result: SubmissionResult, values: readonly PastedValue[]) => void
}

function SubmitForm({ pasted, onPasted, onClose, onDone }: SubmitFormProps) {
  const [severity, setSeverity] = useState<Severity>('MEDIUM')
  const [tags, setTags] = useState<string[]>([])
  const [description, setDescription] = useState('')
  const submission = useSubmitIndicators()
  const values = useMemo(() => splitValues(pasted), [pasted])
  const reason = refusalOf(values.length)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason !== true || submission.isPending) return
    const said = { severity, tags, ...(description.trim() === '' ? {} : { description: description.trim() }) }
    const indicators = values.map(({ value }) => ({ value, ...said }))
    submission.mutate({ indicators }, { onSuccess: (result) => onDone(result, values) })
  }
  return (
    <form onSubmit={submit} className={classes['form']}>
      <SendTextarea
        data-autofocus
        label={text.values}
        description={text.valuesHint}
        minRows={6}
        maxRows={14}
        spellCheck={false}
        value={pasted}
        classNames={{ input: classes['mono'] ?? '' }}
        error={typeof reason === 'string' && values.length > 0 ? reason : undefined}
        onChange={(event) => onPasted(event.currentTarget.value)}
        onSend={submit}
      />
      <TypeCounts values={values} />
      <div className={classes['pair']}>
        <NativeSelect
          size="xs"
          label={text.severity}
          value={severity}
          data={SEVERITIES.map((name) => ({ value: name, label: uiText.severity[name] }))}
          onChange={({ currentTarget: { value } }) => setSeverity(SEVERITIES.find((name) => name === value) ?? 'MEDIUM')}
        />
        <TagsInput
          size="xs"
          label={text.tags}
          placeholder={text.tagsHint}
          maxTags={TAGS_MAX}
          value={tags}
          onChange={(next) => setTags(next.map((tag) => tag.slice(0, TAG_MAX_CHARACTERS)))}
        />
      </div>
      <TextInput
        label={text.description}
        placeholder={text.descriptionHint}
        maxLength={DESCRIPTION_MAX_CHARACTERS}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {submission.isError && <ProblemNotice problem={toProblem(submission.error)} />}
      <FormEnd>
        <Button variant="default" onClick={onClose}>
          {text.cancel}
        </Button>
        <ReasonButton type="submit" loading={submission.isPending} disabledReason={reason}>
          {text.send(values.length)}
        </ReasonButton>
      </FormEnd>
    </form>
  )
}

function refusalOf(values: number): true | string {
  if (values === 0) return text.pasteFirst
  return values <= SUBMISSION_MAX_ITEMS ? true : text.tooMany(values - SUBMISSION_MAX_ITEMS)
}
