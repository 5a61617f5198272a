import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SETTINGS, type Setting } from './settings.ts'

const PAGE = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')

function rowOf([name, { secret, fallback, about }]: [string, Setting]): string {
  const shown = secret ? 'secret' : fallback === undefined || fallback === '' ? '-' : `\`${fallback}\``
  return `| \`${name}\` | ${shown} | ${about} |`
}

test('docs/settings.md has one row per setting, as the table of settings says it, and the keys of feeds last', () => {
  const rows = PAGE.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows).toEqual([...Object.entries(SETTINGS).map(rowOf), '| `FEED_KEY_<NAME>` | secret | Fills `{<NAME>}` in feed addresses. |'])
})

test('no description has a sign that would break the table', () => {
  for (const [name, { about }] of Object.entries(SETTINGS)) expect(about, name).not.toMatch(/[|\n]/)
})
