import type { Setting } from '../../api/settings.ts'
import { choiceParam, type SearchOf, searchSchema, textParam } from '../../shell/search-schema.ts'

const TEXT_MAX = 120

const SHAPE = { q: textParam(TEXT_MAX), show: choiceParam(['secret', 'set', 'unset']) }

/** Filters of the Settings tab. */
export type SettingsSearch = SearchOf<typeof SHAPE>
export const parseSettingsSearch: (raw: Record<string, unknown>) => SettingsSearch = searchSchema(SHAPE)
export const NO_SETTING_FILTERS = { q: undefined, show: undefined } satisfies SettingsSearch

/** The settings that the filters leave. */
export function filterSettings(settings: readonly Setting[], { q, show }: SettingsSearch): Setting[] {
  const words = q?.toLowerCase() ?? ''
  return settings.filter(
    ({ setting, value, about, secret, present }) =>
      (show === undefined || (show === 'secret' ? secret : present === (show === 'set'))) &&
      `${setting}\n${value ?? ''}\n${about}`.toLowerCase().includes(words),
  )
}
