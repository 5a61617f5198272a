import type { Indicator } from '../../api/indicators.ts'
import { ConfidenceBar } from '../../ui/confidence-bar.tsx'
import { SeverityTag } from '../../ui/severity-tag.tsx'
import { WordRow } from '../../ui/word-row.tsx'
import { IocState } from './ioc-columns.tsx'
import { fullType } from './iocs.text.ts'

/** What an IOC is, in one line: type, severity, state and confidence. */
export function IocWords({ ioc }: { ioc: Indicator }) {
  return (
    <WordRow>
      <span>{fullType(ioc)}</span>
      <SeverityTag severity={ioc.severity} />
      <IocState ioc={ioc} />
      <ConfidenceBar points={ioc.confidence} level={ioc.confidence_level} />
    </WordRow>
  )
}
