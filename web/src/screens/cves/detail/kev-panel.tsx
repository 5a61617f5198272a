import { IconSkull } from '@tabler/icons-react'
import type { CveDetail } from '../../../api/cves.ts'
import { FactList } from '../../../ui/fact-list.tsx'
import { SectionPanel } from '../../../ui/section-panel.tsx'
import { DueWord } from '../cve-columns.tsx'
import classes from '../cves.module.css'
import { day } from '../figures.ts'
import { detailText } from './detail.text.ts'

const text = detailText.kev

/** What CISA's catalogue says of an exploited CVE. */
export function KevPanel({ cve }: { cve: CveDetail }) {
  const { kev_name, kev_date_added, kev_due_date, kev_required_action, ransomware } = cve
  return (
    <SectionPanel title={text.title}>
      <FactList
        facts={[
          ...(kev_required_action === null ? [] : [{ name: text.action, value: kev_required_action }]),
          { name: text.due, value: kev_due_date === null ? text.noDate : <DueWord due={kev_due_date} both /> },
          {
            name: text.ransomware,
            value: ransomware ? (
              <span className={classes['flag']} data-strong>
                <IconSkull size={15} aria-hidden />
                {text.known}
              </span>
            ) : (
              text.notKnown
            ),
          },
          ...(kev_name === null ? [] : [{ name: text.name, value: kev_name }]),
          ...(kev_date_added === null ? [] : [{ name: text.added, value: day(kev_date_added) }]),
        ]}
      />
    </SectionPanel>
  )
}
