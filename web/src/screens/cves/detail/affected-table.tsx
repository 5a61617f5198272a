import { Button } from '@mantine/core'
import { useState } from 'react'
import classes from '../cves.module.css'
import type { AffectedRow } from './affected-rows.ts'
import { detailText } from './detail.text.ts'

const text = detailText.affected
/** Rows, and versions in a row, that are shown at first. Assumption: about a screenful; the largest CVEs name thousands. */
const FIRST_ROWS = 12
const SHOWN_VERSIONS = 24

/** Which versions of which product are vulnerable, by whom it is said, and what they must run on. */
export function AffectedTable({ rows }: { rows: readonly AffectedRow[] }) {
  const [all, setAll] = useState(false)
  if (rows.length === 0) return <p className={classes['quiet']}>{text.none}</p>
  return (
    <>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col" title={text.byHint}>
              {text.by}
            </th>
            <th scope="col">{text.product}</th>
            <th scope="col">{text.versions}</th>
            <th scope="col">{text.onlyWith}</th>
          </tr>
        </thead>
        <tbody>
          {(all ? rows : rows.slice(0, FIRST_ROWS)).map((row) => (
            <tr key={row.id}>
              <td data-label={text.by}>{row.configuration === undefined ? text.author : text.nvd(row.configuration)}</td>
              <td data-label={text.product}>
                {row.vendor} <b>{row.product}</b>
              </td>
              <td data-label={text.versions}>
                <Words words={row.versions} />
              </td>
              <td data-label={text.onlyWith}>{row.onlyWith.length > 0 && <Words words={row.onlyWith} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!all && rows.length > FIRST_ROWS && (
        <Button variant="default" mt={8} onClick={() => setAll(true)}>
          {text.more(rows.length)}
        </Button>
      )}
    </>
  )
}

function Words({ words }: { words: readonly string[] }) {
  return (
    <ul className={classes['versions']}>
      {words.slice(0, SHOWN_VERSIONS).map((word) => (
        <li key={word} className={classes['version']}>
          {word}
        </li>
      ))}
      {words.length > SHOWN_VERSIONS && <li className="svc-dim">{text.moreVersions(words.length - SHOWN_VERSIONS)}</li>}
    </ul>
  )
}
