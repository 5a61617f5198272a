import { Button, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { type LookupItem, SUBMISSION_MAX_ITEMS } from '../../api/indicators.ts'
import { ConfidenceBar } from '../../ui/confidence-bar.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { notifyDone } from '../../ui/notify.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { uiText } from '../../ui/ui.text.ts'
import classes from './palette.module.css'
import { paletteText } from './palette.text.ts'

const text = paletteText.results
/** Lines shown of each part. Assumption: more than anyone reads here; all of them can be copied. */
const SHOWN_LINES = 200

export type LookupResultsProps = {
  items: readonly LookupItem[]
  submitReason: true | string
  onOpen: (item: LookupItem) => void
  onSubmit: (values: readonly string[]) => void
  onBack: () => void
}

/** The answer for several values: known, excluded, unknown and refused apart. */
export function LookupResults({ items, submitReason, onOpen, onSubmit, onBack }: LookupResultsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const known = items.filter(({ status }) => status === 'known')
  const excluded = items.filter(({ status }) => status === 'excluded')
  const unknown = items.filter(({ status }) => status === 'unknown')
  const rejected = items.filter(({ status }) => status === 'rejected')
  const values = unknown.map(({ value, input }) => value ?? input)
  return (
    <>
      <div className={classes['resultsHead']}>
        <h2 ref={heading} tabIndex={-1} className={classes['resultsTitle']}>
          {text.title(items.length)}
        </h2>
        <Modal.CloseButton aria-label={paletteText.close} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <section className={classes['results']} tabIndex={0} aria-label={text.title(items.length)}>
        <Part name={text.known} items={known}>
          {(item) => <KnownLine item={item} onOpen={() => onOpen(item)} />}
        </Part>
        {excluded.length > 0 && (
          <Part name={text.excluded} items={excluded}>
            {({ value, input, exclusion }) => (
              <>
                <span className={`svc-mono ${classes['wrap']}`}>{value ?? input}</span>
                {exclusion !== null && (
                  <span className={classes['hint']}>
                    {paletteText.excludedBecause(exclusion.created_by, exclusion.created_at.slice(0, 10), exclusion.reason)}
                  </span>
                )}
              </>
            )}
          </Part>
        )}
        <Part name={text.unknown} items={unknown}>
          {(item) => <span className={`svc-mono ${classes['wrap']}`}>{item.value ?? item.input}</span>}
        </Part>
        <Part name={text.rejected} items={rejected}>
          {(item) => (
            <>
              <span className={`svc-mono ${classes['wrap']}`}>{item.input}</span>
              <span className={classes['hint']}>{item.reason}</span>
            </>
          )}
        </Part>
      </section>
      <div className={classes['resultsFoot']}>
        <Button variant="default" onClick={onBack}>
          {text.back}
        </Button>
        {values.length > 0 && (
          <ReasonButton
            disabledReason={submitReason}
            title={values.length > SUBMISSION_MAX_ITEMS ? paletteText.submitFirst(SUBMISSION_MAX_ITEMS) : undefined}
            onClick={() => onSubmit(values.slice(0, SUBMISSION_MAX_ITEMS))}
          >
            {paletteText.submitMany(values.length)}
          </ReasonButton>
        )}
      </div>
    </>
  )
}

type PartProps = { name: string; items: readonly LookupItem[]; children: (item: LookupItem) => ReactNode }

function Part({ name, items, children }: PartProps) {
  const copy = async () => {
    const done = await copyText(items.map(({ value, input }) => value ?? input).join('\n'))
    notifyDone(done ? text.copied : uiText.copyFailed)
  }
  return (
    <section className={classes['part']}>
      <div className={classes['partHead']}>
        <h3 className={classes['partName']}>{text.count(name, items.length)}</h3>
        {items.length > 0 && (
          <Button variant="subtle" color="gray" size="compact-xs" aria-label={`${text.copy}: ${name}`} onClick={() => void copy()}>
            {text.copy}
          </Button>
        )}
      </div>
      {items.length === 0 ? (
        <p className={classes['hint']}>{text.none}</p>
      ) : (
        <ul className={classes['lines']}>
          {items.slice(0, SHOWN_LINES).map((item) => (
            <li key={item.input} className={classes['lineItem']}>
              {children(item)}
            </li>
          ))}
        </ul>
      )}
      {items.length > SHOWN_LINES && <p className={classes['hint']}>{text.more(items.length - SHOWN_LINES)}</p>}
    </section>
  )
}

function KnownLine({ item, onOpen }: { item: LookupItem; onOpen: () => void }) {
  const { indicator, relation } = item
  if (indicator === null || relation === null) return null
  return (
    <button type="button" className={classes['known']} onClick={onOpen}>
      <span className={classes['knownValue']}>
        <span className={`svc-mono ${classes['wrap']}`}>{item.value ?? item.input}</span>
        <span className={classes['hint']}>
          {paletteText.relation[relation]}{' '}
          {relation !== 'exact' && <span className={`svc-mono ${classes['wrap']}`}>{indicator.value}</span>}
        </span>
      </span>
      <SeverityTag severity={indicator.severity} />
      <ConfidenceBar points={indicator.confidence} level={indicator.confidence_level} />
    </button>
  )
}
