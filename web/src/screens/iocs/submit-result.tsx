import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { SubmissionResult } from '../../api/indicators.ts'
import { FormEnd } from '../../ui/form-end.tsx'
import classes from './iocs.module.css'
import { count, iocsText } from './iocs.text.ts'
import type { PastedValue } from './split-values.ts'

const text = iocsText.submission

export type SubmitResultProps = {
  result: SubmissionResult
  /** What was sent, in its order: the server's index leads to the line. */
  values: readonly PastedValue[]
  onClose: () => void
  onAgain: (text: string) => void
}

/** What became of the submitted values, and why some were refused. */
export function SubmitResult({ result, values, onClose, onAgain }: SubmitResultProps) {
  const done = useRef<HTMLButtonElement>(null)
  useEffect(() => done.current?.focus(), [])
  const { created, updated, duplicates, rejected, rejections } = result
  return (
    <div className={classes['form']}>
      <dl className={classes['tiles']}>
        {[
          { name: text.created, value: created },
          { name: text.updated, value: updated },
          { name: text.duplicates, value: duplicates },
          { name: text.rejected, value: rejected },
        ].map((tile) => (
          <div key={tile.name} className={classes['tile']} data-zero={tile.value === 0 || undefined}>
            <dt>{tile.name}</dt>
            <dd>{count(tile.value)}</dd>
          </div>
        ))}
      </dl>
      {rejections.length > 0 && <Rejections result={result} values={values} />}
      <FormEnd>
        {rejected === 0 ? (
          <Button variant="default" onClick={() => onAgain('')}>
            {text.again}
          </Button>
        ) : (
          <Button variant="default" onClick={() => onAgain(rejections.map(({ index, value }) => values[index]?.value ?? value).join('\n'))}>
            {text.correct}
          </Button>
        )}
        <Button ref={done} onClick={onClose}>
          {text.done}
        </Button>
      </FormEnd>
    </div>
  )
}

function Rejections({ result: { rejections, rejected }, values }: Pick<SubmitResultProps, 'result' | 'values'>) {
  return (
    <div>
      <h3 className={classes['rejectionsTitle']}>
        {text.rejections} {rejections.length < rejected && <span className="svc-dim">{text.rejectionsCut(rejections.length)}</span>}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <section className={classes['rejectionsBox']} tabIndex={0} aria-label={text.rejections}>
        <ul className={classes['rejectionList']}>
          {rejections.map(({ index, value, reason }) => (
            <li key={index}>
              <span className={classes['line']}>
                {text.line} {values[index]?.line ?? index + 1}
              </span>
              <span className={classes['rejection']}>
                <span className={`svc-mono ${classes['wrap']}`}>{value}</span>
                <span>{reason}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
