import { Button, Checkbox, Modal, NativeSelect, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import {
  DAYS_MAX,
  type Excluded,
  type ExclusionKind,
  exclusionPreviewQuery,
  REASON_MAX_CHARACTERS,
  REASON_MIN_CHARACTERS,
  useExclude,
} from '../../api/exclusions.ts'
import type { Indicator, IndicatorType } from '../../api/indicators.ts'
import { toProblem } from '../../api/problem.ts'
import { ButtonKey } from '../../ui/button-key.tsx'
import { FormEnd } from '../../ui/form-end.tsx'
import { notifyDone } from '../../ui/notify.ts'
import { ProblemNotice } from '../../ui/problem-notice.tsx'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SendTextarea } from '../../ui/send-textarea.tsx'
import { uiText } from '../../ui/ui.text.ts'
import classes from './iocs.module.css'
import { iocsText } from './iocs.text.ts'

const text = iocsText.exclusion

export type ExcludedIoc = Pick<Indicator, 'id' | 'type' | 'value' | 'exclusion'>

/** What an IOC can stand for, beside itself. */
const WIDER: Partial<Record<IndicatorType, ExclusionKind>> = { DOMAIN: 'DOMAIN', NETWORK: 'NETWORK', URL: 'HOST' }

/** Asks why, and says first what the exclusion takes away. Empty `iocs` close it. */
export function ExcludeDialog({ iocs, onClose }: { iocs: readonly ExcludedIoc[]; onClose: () => void }) {
  // While the dialog fades out, it still shows what it asked.
  const last = useRef<readonly ExcludedIoc[]>([])
  if (iocs.length > 0) last.current = iocs
  const shown = last.current
  return (
    <Modal
      opened={iocs.length > 0}
      onClose={onClose}
      title={<span className={classes['wrap']}>{text.title(shown.map(({ value }) => value))}</span>}
      size={560}
      centered
      closeButtonProps={{ 'aria-label': uiText.close }}
    >
      {shown.length > 0 && <ExcludeForm key={shown.map(({ id }) => id).join()} iocs={shown} onClose={onClose} />}
    </Modal>
  )
}

function ExcludeForm({ iocs, onClose }: { iocs: readonly ExcludedIoc[]; onClose: () => void }) {
  const [only] = iocs.length === 1 ? iocs : []
  const [reason, setReason] = useState('')
  const [days, setDays] = useState<number>()
  const [kind, setKind] = useState<ExclusionKind>('VALUE')
  const [confirmed, setConfirmed] = useState(0)
  const exclusion = useExclude()
  const preview = useQuery({ ...exclusionPreviewQuery({ value: only?.value ?? '', kind }), enabled: only !== undefined })
  const effect = preview.data?.effect
  const wider = only === undefined ? undefined : WIDER[only.type]
  const open = iocs.filter((ioc) => ioc.exclusion === null || kind !== 'VALUE')
  const blocked = blockedBecause({ reason, effect, confirmed })

  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (blocked !== true || exclusion.isPending) return
    const terms = { kind, reason: reason.trim(), ...(days === undefined ? {} : { days }), confirm_count: confirmed }
    exclusion.mutate(
      open.map(({ value }) => ({ value, ...terms })),
      {
        onSuccess: () => {
          notifyDone(text.done(open.map(({ value }) => value)))
          onClose()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} className={classes['form']}>
      <SendTextarea
        data-autofocus
        label={text.reason}
        description={text.reasonHint}
        minRows={2}
        maxRows={6}
        maxLength={REASON_MAX_CHARACTERS}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        onSend={submit}
      />
      <div className={classes['exclusionTerms']}>
        {wider !== undefined && (
          <NativeSelect
            size="xs"
            label={text.scope}
            value={kind}
            data={[
              { value: 'VALUE', label: text.kinds.VALUE },
              { value: wider, label: text.kinds[wider] },
            ]}
            onChange={({ currentTarget: { value } }) => {
              setKind(value === wider ? wider : 'VALUE')
              setConfirmed(0)
            }}
          />
        )}
        <NumberInput
          label={text.days}
          placeholder={text.daysNone}
          min={1}
          max={DAYS_MAX}
          allowDecimal={false}
          clampBehavior="strict"
          value={days ?? ''}
          onChange={(value) => setDays(typeof value === 'number' ? value : undefined)}
        />
      </div>
      {only !== undefined && <EffectWords effect={effect} />}
      {effect?.asks_again === true && (
        <Checkbox
          label={text.confirm(effect.touched, effect.base)}
          checked={confirmed === effect.touched}
          onChange={(event) => setConfirmed(event.currentTarget.checked ? effect.touched : 0)}
        />
      )}
      {exclusion.isError && <ProblemNotice problem={toProblem(exclusion.error)} />}
      {preview.isError && <ProblemNotice problem={toProblem(preview.error)} />}
      <FormEnd>
        <Button variant="default" onClick={onClose}>
          {uiText.cancel}
        </Button>
        <ReasonButton type="submit" loading={exclusion.isPending} disabledReason={blocked}>
          {text.submit(open.length)}
          <ButtonKey keys="Ctrl Enter" />
        </ReasonButton>
      </FormEnd>
    </form>
  )
}

function EffectWords({ effect }: { effect: Excluded['effect'] | undefined }) {
  return (
    <div className={classes['effect']} role="status">
      <p>{effect === undefined ? text.working : text.effect(effect.touched)}</p>
      {effect !== undefined && effect.touched > 1 && (
        <ul aria-label={text.examples}>
          {effect.examples.map(({ id, value }) => (
            <li key={id} className="svc-mono">
              {value}
            </li>
          ))}
          {effect.touched > effect.examples.length && <li>{text.more(effect.touched - effect.examples.length)}</li>}
        </ul>
      )}
    </div>
  )
}

function blockedBecause({
  reason,
  effect,
  confirmed,
}: {
  reason: string
  effect: Excluded['effect'] | undefined
  confirmed: number
}): true | string {
  if (reason.trim().length < REASON_MIN_CHARACTERS) return text.reasonFirst
  if (effect?.asks_again === true && confirmed !== effect.touched) return text.confirmFirst
  return true
}
