import { paths } from '../../shell/paths.ts'
import { TabNav } from '../../shell/tab-nav.tsx'
import { qualityText } from './quality.text.ts'
import { sourcesText } from './sources.text.ts'

const TABS = [
  { to: paths.sources, label: sourcesText.tabs.list },
  { to: paths.quality, label: qualityText.tab },
] as const

/** The parts of the Sources place. */
export function SourcesTabs() {
  return <TabNav label={sourcesText.tabs.label} tabs={TABS} />
}
