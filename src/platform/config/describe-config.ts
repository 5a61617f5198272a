import { type Config, SETTINGS, type SettingName } from './settings.ts'

/**
 * One setting as it is in effect. `value` is null when it is unset, and always for a secret, of which only `present` is told.
 */
export type SettingRow = { setting: string; value: string | null; present: boolean; secret: boolean; about: string }

/** The prefix of settings that hold access keys of feeds. */
export const FEED_KEY_PREFIX = 'FEED_KEY_'

/** One row per setting, for whoever runs the service. No value of a secret is in it, nor a password inside the value of another setting. */
export function describeConfig(config: Config): SettingRow[] {
  const rows = (Object.keys(SETTINGS) as SettingName[]).map((setting): SettingRow => {
    const { secret, about } = SETTINGS[setting]
    const value = config[setting]
    const present = value !== undefined && value !== ''
    return { setting, value: secret || !present ? null : maskUrls(String(value)), present, secret, about }
  })
  for (const name of Object.keys(config.feedKeys).sort())
    rows.push({
      setting: `${FEED_KEY_PREFIX}${name}`,
      value: null,
      present: true,
      secret: true,
      about: `Fills {${name}} in feed addresses.`,
    })
  return rows
}

/** What people put into addresses that hold a secret: user and password before an `@`, and everything behind `?` or `#`. */
export function maskUrls(text: string): string {
  return text.replace(/(?<![^\s,/@])[^\s,/@]*@/g, '***@').replace(/([?#])[^\s,]+/g, '$1***')
}
