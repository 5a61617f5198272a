import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { DomainError } from '#kernel/errors.ts'
import { FEED_KEY_PREFIX } from './describe-config.ts'
import { type Config, SETTINGS, type Setting } from './settings.ts'

type Environment = Record<string, string | undefined>

const TRUE_WORDS = new Set(['1', 'true', 'yes', 'on'])
const FALSE_WORDS = new Set(['0', 'false', 'no', 'off'])

/**
 * The effective settings: process environment over settings file over defaults; an empty value counts as unset.
 *
 * Source: spec, "Settings read at start-up"; decision 0003.
 * @throws setting_invalid naming the setting, never its value
 */
export function loadConfig(env: Environment = process.env, directory = process.cwd()): Config {
  const file = readSettingsFile(env, directory)
  const raw = (name: string): string | undefined => {
    for (const source of [env, file]) {
      const value = source[`SVC_${name}`]?.trim() || source[name]?.trim()
      if (value) return value
    }
    return undefined
  }
  const config: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(SETTINGS)) config[name] = parseSetting(name, setting, raw(name))
  return { ...(config as Omit<Config, 'feedKeys'>), feedKeys: readFeedKeys({ ...file, ...env }) }
}

function parseSetting(name: string, setting: Setting, raw: string | undefined): unknown {
  if (raw === undefined) return setting.fallback
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

function readFeedKeys(env: Environment): Record<string, string> {
  const keys: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const bare = name.startsWith('SVC_') ? name.slice(4) : name
    if (bare.startsWith(FEED_KEY_PREFIX) && value?.trim()) keys[bare.slice(FEED_KEY_PREFIX.length)] = value.trim()
  }
  return keys
}
