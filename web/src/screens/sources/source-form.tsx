import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { deliversNewsOnly, type Feed, RELIABILITIES } from '../../api/feeds.ts'
import { FormEnd } from '../../ui/form-end.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { AdvancedFields } from './advanced-fields.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import { offeredFormats } from './feed-formats.ts'
import { ProbeResult } from './probe-result.tsx'
import classes from './sources.module.css'
import { sourcesText } from './sources.text.ts'
import { type SourceFormState, useSourceForm } from './use-source-form.ts'

const text = sourcesText.dialog

/** Suggested kinds of feed; free text is accepted. Source: src/domains/feeds/feeds.model.ts. */
// biome-ignore format: one table
const FEED_TYPES = ['malware', 'c2', 'phishing', 'botnet', 'ransomware', 'scanner', 'bruteforce', 'spam', 'tor', 'proxy', 'dynamic_dns', 'other']
const TYPE_MAX_CHARACTERS = 40
const NAME_MAX_CHARACTERS = 120
const URL_MAX_CHARACTERS = 2048
/** Usual intervals, seconds. Assumption: what publishers ask for. */
const INTERVALS = [300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 604_800]

export type SourceFormProps = { feed: Feed | undefined; onClose: () => void; onAdded: (feed: Feed) => void }

/** URL first, then a test, then Save: Enter does whichever of the two is next. */
export function SourceForm({ feed, onClose, onAdded }: SourceFormProps) {
  const form = useSourceForm(feed)
  const element = useRef<HTMLFormElement>(null)
  const { draft, isTested, problem } = form
  useEffect(() => {
    // The next step after a good test; the button is another element by then, since it can be pressed only now.
    if (isTested) element.current?.querySelector<HTMLElement>('button[type=submit]')?.focus()
  }, [isTested])
  useEffect(() => {
    // Drawn a moment later, with the refusal: the box that has to be corrected.
    if (problem !== undefined) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem])
  const test = () => {
    if (form.draftReason === true && !form.probe.busy) form.test()
  }
  const save = () =>
    form.save((saved) => {
      if (form.isEdit) {
        notifyDone(text.saved(saved.name))
        onClose()
        return
      }
      notifyDone(saved.is_active ? text.added(saved.name) : text.addedOnly(saved.name))
      onAdded(saved)
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.saving || form.newer !== undefined) return
    if (form.saveReason === true) save()
    else test()
  }
  return (
    <form ref={element} onSubmit={submit} className={classes['form']} noValidate>
      <MainFields form={form} />
      <AdvancedFields form={form} />
      <div aria-live="polite" className={classes['form']}>
        {form.probe.busy && <p className="svc-dim">{text.testing}</p>}
        {!form.probe.busy && form.probe.problem !== undefined && !form.isStale && (
          <ProblemNotice problem={form.probe.problem} title={text.testFailed} />
        )}
        {!form.probe.busy && form.isStale && <p className="svc-dim">{text.stale}</p>}
        {!form.probe.busy && form.probe.result !== undefined && (
          <ProbeResult result={form.probe.result} firstPageOnly={deliversNewsOnly(draft)} />
        )}
        {form.problem !== undefined && !form.isExplained && <ProblemNotice problem={form.problem} title={text.saveFailed} />}
        {form.newer !== undefined && form.base !== undefined && (
          <ConflictNotice base={form.base} newer={form.newer} onResolve={form.resolve} />
        )}
      </div>
      <FormEnd>
        <Button variant="default" onClick={onClose}>
          {text.cancel}
        </Button>
        {form.mayForce && (
          <Button variant="subtle" loading={form.saving} onClick={save}>
            {text.saveUntested}
          </Button>
        )}
        <ReasonButton
          variant={form.saveReason === true ? 'default' : 'filled'}
          disabledReason={form.draftReason}
          loading={form.probe.busy}
          {...(form.saveReason === true ? { onClick: test } : { type: 'submit' })}
        >
          {form.probe.result === undefined ? text.test : text.testAgain}
        </ReasonButton>
        <ReasonButton
          type="submit"
          variant={form.saveReason === true ? 'filled' : 'default'}
          loading={form.saving}
          disabledReason={form.newer === undefined ? form.saveReason : sourcesText.conflict.title}
        >
          {text.save}
        </ReasonButton>
      </FormEnd>
    </form>
  )
}

function MainFields({ form }: { form: SourceFormState }) {
  const { draft, set, messageOf } = form
  const intervals = [...new Set([...INTERVALS, draft.frequency])].toSorted((first, second) => first - second)
  return (
    <>
      <TextInput
        data-autofocus
        type="url"
        label={text.fields.url}
        description={sourcesText.formatOf(draft.format)?.urlHint ?? text.urlHint}
        required
        withAsterisk={false}
        spellCheck={false}
        autoComplete="off"
        maxLength={URL_MAX_CHARACTERS}
        value={draft.url}
        error={messageOf('url')}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <div className={classes['pair']}>
        <TextInput
          label={text.fields.name}
          autoComplete="off"
          maxLength={NAME_MAX_CHARACTERS}
          placeholder={text.nameHint}
          value={draft.name}
          error={messageOf('name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label={text.fields.format}
          value={draft.format}
          data={offeredFormats(draft.format).map((format) => ({ value: format, label: sourcesText.formatOf(format)?.label ?? format }))}
          error={messageOf('format')}
          onChange={({ currentTarget: { value } }) => set({ format: value })}
        />
      </div>
      <div className={classes['triple']}>
        <Autocomplete
          size="xs"
          label={text.fields.feed_type}
          maxLength={TYPE_MAX_CHARACTERS}
          data={FEED_TYPES}
          // Every suggestion, also while one of them stands in the box.
          filter={({ options }) => options}
          value={draft.feed_type}
          error={messageOf('feed_type')}
          onChange={(feed_type) => set({ feed_type })}
          onKeyDown={keepEnterForForm}
        />
        <NativeSelect
          size="xs"
          label={text.fields.reliability}
          value={draft.reliability}
          data={RELIABILITIES.map((letter) => ({ value: letter as string, label: sourcesText.reliabilityOf(letter) }))}
          error={messageOf('reliability')}
          onChange={({ currentTarget: { value } }) => set({ reliability: value })}
        />
        <NativeSelect
          size="xs"
          label={text.fields.frequency}
          value={String(draft.frequency)}
          data={intervals.map((seconds) => ({ value: String(seconds), label: text.interval(seconds) }))}
          error={messageOf('frequency')}
          onChange={({ currentTarget: { value } }) => set({ frequency: Number(value) })}
        />
      </div>
    </>
  )
}

/** Enter in the list of suggestions chooses one; it must not send the form as well. */
function keepEnterForForm(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-activedescendant') !== null) event.preventDefault()
}
