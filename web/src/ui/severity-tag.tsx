import { IconAlertCircle, IconAlertTriangleFilled, IconFlameFilled, IconInfoCircle, IconPoint } from '@tabler/icons-react'
import { tagColours } from './tag-colours.ts'
import classes from './tags.module.css'
import { uiText } from './ui.text.ts'

export type SeverityName = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO'

const ICONS = { CRITICAL: IconFlameFilled, HIGH: IconAlertTriangleFilled, MEDIUM: IconAlertCircle, LOW: IconInfoCircle, INFO: IconPoint }

/** Icon, colour and word: colour alone never carries a severity. */
export function SeverityTag({ severity }: { severity: SeverityName }) {
  const Icon = ICONS[severity]
  return (
    <span className={classes['tag']}>
      <span className={classes['chip']} style={tagColours('severity', severity)}>
        <Icon size={13} aria-hidden />
      </span>
      {uiText.severity[severity]}
    </span>
  )
}
