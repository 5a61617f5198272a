import { Button } from '@mantine/core'
import { useState } from 'react'
import type { CveDetail } from '../../../api/cves.ts'
import classes from '../cves.module.css'
import { detailText } from './detail.text.ts'

const text = detailText.references
/** References that are shown at first. Assumption: about a screenful; Log4Shell has over a hundred. */
const FIRST_ROWS = 10
/** NVD's word for an address with a public exploit; some are known by their address alone. */
const EXPLOIT = 'Exploit'

type Reference = CveDetail['references'][number]

/** What has been written about a CVE, exploits first. */
export function ReferenceList({ references }: { references: readonly Reference[] }) {
  const [all, setAll] = useState(false)
  if (references.length === 0) return <p className={classes['quiet']}>{text.none}</p>
  const sorted = references.toSorted((first, second) => Number(second.exploit) - Number(first.exploit))
  return (
    <>
      <ul className={classes['references']}>
        {(all ? sorted : sorted.slice(0, FIRST_ROWS)).map((reference) => (
          <li key={reference.url} className={classes['reference']}>
            <Address url={reference.url} />
            {tagsOf(reference).map((tag) => (
              <span key={tag} className={classes['tag']} data-warning={tag === EXPLOIT || undefined}>
                {tag}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {!all && references.length > FIRST_ROWS && (
        <Button variant="default" mt={8} onClick={() => setAll(true)}>
          {text.more(references.length)}
        </Button>
      )}
    </>
  )
}

/** Only an address of the web is a link: what others write must not become an act. */
function Address({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" title={text.newTab}>
      {url}
    </a>
  )
}

function tagsOf({ tags, exploit }: Reference): readonly string[] {
  return exploit && !tags.includes(EXPLOIT) ? [EXPLOIT, ...tags] : tags
}
