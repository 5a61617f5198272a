import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { DomainError, type FieldError } from '#kernel/errors.ts'
import { FEED_KEY_PREFIX } from './describe-config.ts'
import { type Config, SETTINGS, type Setting } from './settings.ts'

type Environment = Record<string, string | undefined>

/** Of every setting, before its own name. Source: spec. */
const PREFIX = 'SVC_'
const TRUE_WORDS = new Set(['1', 'true', 'yes', 'on'])
const FALSE_WORDS = new Set(['0', 'false', 'no', 'off'])

/**
 * The effective settings: process environment over settings file over defaults; an empty value counts as unset.
 *
 * Source: spec, "Settings read at start-up"; decision 0003.
 * @throws setting_invalid naming every faulty setting, never a value
 */
export function loadConfig(env: Environment = process.env, directory = process.cwd()): Config {
  const places = [env, readSettingsFile(env, directory)]
  const config: Record<string, unknown> = {}
  const faults: FieldError[] = []
  for (const [name, setting] of Object.entries(SETTINGS)) {
    try {
      config[name] = parseSetting(name, setting, readValue(places, name))
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      faults.push({ field: name, code: error.code, message: error.message })
    }
  }
  refuseFaulty(faults)
  return { ...(config as Omit<Config, 'feedKeys'>), feedKeys: readFeedKeys(places) }
}

/** All faults at once, so that nobody repairs settings one start after the other. @throws setting_invalid when there is one */
export function refuseFaulty(faults: readonly FieldError[], why = 'Settings are not valid'): void {
  const [first, ...more] = faults
  if (first === undefined) return
  const names = [...new Set(faults.map(({ field }) => field))].join(', ')
  throw new DomainError('setting_invalid', more.length === 0 ? first.message : `${why}: ${names}.`, faults)
}

/** The first place that has a value, and there the prefixed name first. Empty and blank ones count as unset. */
function readValue(places: readonly Environment[], name: string): string | undefined {
  for (const place of places) {
    const value = place[`${PREFIX}${name}`]?.trim() || place[name]?.trim()
    if (value) return value
  }
  return undefined
}

function parseSetting(name: string, setting: Setting, raw: string | undefined): unknown {
  if (raw === undefined) return setting.fallback
  if (setting.choices !== undefined) {
    const word = raw.toLowerCase()
    if (setting.choices.includes(word)) return word
    throw new DomainError('setting_invalid', `${name} must be one of ${setting.choices.join(', ')}.`)
  }
  if (setting.kind === 'text') return raw
  if (setting.kind === 'flag') {
    const word = raw.toLowerCase()
    if (TRUE_WORDS.has(word)) return true
    if (FALSE_WORDS.has(word)) return false
    throw new DomainError('setting_invalid', `${name} must be true or false.`)
  }
  const number = Number(raw)
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = setting
  if (!Number.isInteger(number) || number < min || number > max)
    throw new DomainError('setting_invalid', `${name} must be a whole number from ${min} to ${max}.`)
  return number
}

function readSettingsFile(env: Environment, directory: string): Environment {
  const named = env['SVC_ENV_FILE']
  if (named !== undefined && named.trim() === '') return {}
  const path = resolve(directory, named ?? '.env')
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new DomainError('setting_invalid', `The settings file ${path} (SVC_ENV_FILE) cannot be read.`)
  }
}

function readFeedKeys(places: readonly Environment[]): Record<string, string> {
  const keys: Record<string, string> = {}
  for (const variable of places.flatMap((place) => Object.keys(place))) {
    const name = variable.startsWith(PREFIX) ? variable.slice(PREFIX.length) : variable
    const value = name.startsWith(FEED_KEY_PREFIX) ? readValue(places, name) : undefined
    if (value !== undefined) keys[name.slice(FEED_KEY_PREFIX.length)] = value
  }
  return keys
}
