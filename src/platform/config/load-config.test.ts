import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DomainError } from '#kernel/errors.ts'
import { loadConfig } from './load-config.ts'
import { SETTINGS, type Setting, type SettingName } from './settings.ts'

const NAMES = Object.keys(SETTINGS) as SettingName[]
/** Two values that differ from the default and from each other. */
function samplesOf(setting: Setting): [string, string] {
  if (setting.kind === 'flag') return setting.fallback === true ? ['false', 'false'] : ['true', 'true']
  if (setting.kind === 'integer') return [String((setting.min ?? 0) + 3), String((setting.min ?? 0) + 4)]
  return setting.choices === undefined ? ['one', 'two'] : [String(setting.choices[0]), String(setting.choices.at(-1))]
}
const parsed = (setting: Setting, text: string) =>
  setting.kind === 'flag' ? text === 'true' : setting.kind === 'integer' ? Number(text) : text

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-settings-'))
  writeFileSync(join(folder, 'other.env'), 'PORT=9123\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('D25: an empty setting is an unset one', () => {
  test.each(NAMES)('%s: unset, empty and blank have the same effect, under both spellings', (name) => {
    const unset = loadConfig({ SVC_ENV_FILE: '' }, folder)
    for (const blank of ['', ' ', '\t \u00a0', '\r\n'])
      for (const spelling of [name, `SVC_${name}`]) expect(loadConfig({ SVC_ENV_FILE: '', [spelling]: blank }, folder)).toEqual(unset)
  })

  test.each(NAMES)('%s: is read under its name and with the prefix, which wins when it is not empty', (name) => {
    const setting: Setting = SETTINGS[name]
    const [one, two] = samplesOf(setting)
    const read = (env: Record<string, string>) => loadConfig({ SVC_ENV_FILE: '', ...env }, folder)[name]
    expect(read({ [name]: one })).toBe(parsed(setting, one))
    expect(read({ [`SVC_${name}`]: two, [name]: one })).toBe(parsed(setting, two))
    expect(read({ [`SVC_${name}`]: ' ', [name]: one })).toBe(parsed(setting, one))
    expect(read({ [`svc_${name}`]: one, [name.toLowerCase()]: one })).toBe(setting.fallback)
  })

  test.each(NAMES)('%s: the file is read, the environment wins, and an empty one there does not hide it', (name) => {
    const setting: Setting = SETTINGS[name]
    const [one, two] = samplesOf(setting)
    writeFileSync(join(folder, '.env'), `${name}=${one}\n`)
    try {
      expect(loadConfig({}, folder)[name]).toBe(parsed(setting, one))
      expect(loadConfig({ [name]: two }, folder)[name]).toBe(parsed(setting, two))
      expect(loadConfig({ [name]: ' ', [`SVC_${name}`]: '' }, folder)[name]).toBe(parsed(setting, one))
      writeFileSync(join(folder, '.env'), `${name}=\nSVC_${name}=\n`)
      expect(loadConfig({}, folder)[name]).toBe(setting.fallback)
    } finally {
      rmSync(join(folder, '.env'))
    }
  })

  test('the keys of feeds follow the same rules', () => {
    writeFileSync(join(folder, '.env'), 'FEED_KEY_ONE=file\nFEED_KEY_TWO=file\nFEED_KEY_EMPTY=\n')
    try {
      const keys = loadConfig(
        { FEED_KEY_ONE: ' ', SVC_FEED_KEY_TWO: 'prefixed', FEED_KEY_TWO: 'plain', FEED_KEY_THREE: '' },
        folder,
      ).feedKeys
      expect(keys).toEqual({ ONE: 'file', TWO: 'prefixed' })
    } finally {
      rmSync(join(folder, '.env'))
    }
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'unset: .env of the working directory',  env: {},                                                      port: 9001 },
    { title: 'empty: no file',                        env: { SVC_ENV_FILE: '' },                                    port: 8000 },
    { title: 'blank: no file',                        env: { SVC_ENV_FILE: '  ' },                                  port: 8000 },
    { title: 'named: that file and not .env',         env: { SVC_ENV_FILE: 'other.env' },                           port: 9123 },
    { title: 'named, and the environment wins',       env: { SVC_ENV_FILE: 'other.env', SVC_PORT: '9200' },         port: 9200 },
    { title: 'without the prefix it is not read',     env: { ENV_FILE: 'other.env' },                               port: 9001 },
  ])('SVC_ENV_FILE $title', ({ env, port }) => {
    writeFileSync(join(folder, '.env'), 'PORT=9001\n')
    try {
      expect(loadConfig(env, folder).PORT).toBe(port)
    } finally {
      rmSync(join(folder, '.env'))
    }
  })

  test('a named file that is not there stops the program; a missing .env does not', () => {
    expect(() => loadConfig({ SVC_ENV_FILE: 'absent.env' }, folder)).toThrow('SVC_ENV_FILE')
    expect(loadConfig({}, folder).PORT).toBe(8000)
  })
})

describe('wrong values', () => {
  // biome-ignore format: one case per line
  test.each([
    { env: { PORT: '80x' },                    field: 'PORT' },
    { env: { PORT: '65536' },                  field: 'PORT' },
    { env: { SVC_PORT: '-1' },                 field: 'PORT' },
    { env: { DEBUG: 'maybe' },                 field: 'DEBUG' },
    { env: { ENVIRONMENT: 'prod' },            field: 'ENVIRONMENT' },
    { env: { ENVIRONMENT: 'production;' },     field: 'ENVIRONMENT' },
    { env: { ENVIRONMENT: 'productıon' },      field: 'ENVIRONMENT' },
    { env: { FEED_MAX_BYTES: '1e99' },         field: 'FEED_MAX_BYTES' },
  ])('$env is refused with the name and without the value', ({ env, field }) => {
    const refusal = refusalOf(env)
    expect(refusal.message).toContain(field)
    expect(refusal.message.split(/[\s.,]+/)).not.toContain(Object.values(env)[0])
  })

  test('all of them are named at once', () => {
    expect(
      refusalOf({ PORT: 'x', DEBUG: 'x', ENVIRONMENT: 'x' })
        .fields.map(({ field }) => field)
        .sort(),
    ).toEqual(['DEBUG', 'ENVIRONMENT', 'PORT'])
  })

  test.each(['production', 'Production', ' PRODUCTION ', 'production\n'])('ENVIRONMENT=%j means production', (ENVIRONMENT) =>
    expect(loadConfig({ SVC_ENV_FILE: '', ENVIRONMENT }, '/').ENVIRONMENT).toBe('production'),
  )
})

function refusalOf(env: Record<string, string>): DomainError {
  try {
    loadConfig({ SVC_ENV_FILE: '', ...env }, '/')
  } catch (error) {
    if (error instanceof DomainError) return error
  }
  return expect.fail('Nothing was refused.')
}
