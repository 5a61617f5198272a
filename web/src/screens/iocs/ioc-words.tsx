import type { Indicator } from '../../api/indicators.ts'
import { ConfidenceBar } from '../../ui/confidence-bar.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { IocState } from './ioc-columns.tsx'
import classes from './iocs.module.css'
import { fullType } from './iocs.text.ts'

/** What an IOC is, in one line: type, severity, state and confidence. */
export function IocWords({ ioc }: { ioc: Indicator }) {
  return (
    <span className={classes['words']}>
      <span>{fullType(ioc)}</span>
      <SeverityTag severity={ioc.severity} />
      <IocState ioc={ioc} />
      <ConfidenceBar points={ioc.confidence} level={ioc.confidence_level} />
    </span>
  )
}
