import type { Rejection, Run } from '../../api/feeds.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { byCount } from './run-story.ts'
import classes from './sources.module.css'
import { count, sourcesText } from './sources.text.ts'

const text = sourcesText.rejects

/** What a collection refused: how often for each reason, and examples. */
export function RejectList({ run }: { run: Run }) {
  return (
    <div className={classes['rejects']}>
      <ul className={classes['reasons']}>
        {byCount(run.rejected_by_code).map(([code, rows]) => (
          <li key={code}>
            <span>{sourcesText.reject(code)}</span>
            <b>{count(rows)}</b>
          </li>
        ))}
      </ul>
      <p className="svc-dim">{run.rejections.length === 0 ? text.noExamples : text.examples(run.rejections.length, run.rejected_count)}</p>
      {run.rejections.length > 0 && <RejectTable rejections={run.rejections} label={text.scroll} />}
    </div>
  )
}

/** Refused rows with their line and the reason. */
export function RejectTable({ rejections, label }: { rejections: readonly Rejection[]; label: string }) {
  return (
    <ScrollBox label={label} tall>
      <table className={classes['small']}>
        <thead>
          <tr>
            <th scope="col" className={classes['number']}>
              {text.line}
            </th>
            <th scope="col">{text.value}</th>
            <th scope="col">{text.reason}</th>
          </tr>
        </thead>
        <tbody>
          {rejections.map(({ line, value, code, reason }) => (
            <tr key={`${line} ${code} ${value}`}>
              <td className={classes['number']}>{count(line)}</td>
              <td className={`svc-mono ${classes['raw']}`}>{value === '' ? text.empty : value}</td>
              <td className={classes['reason']} title={sourcesText.reject(code)}>
                {reason}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
