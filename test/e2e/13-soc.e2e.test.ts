import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { HOSTILE_TEXTS } from '../support/hostile-text.ts'
import { asUser } from './api.ts'
import { accessibilityFaults, closedControls, launch, logIn, scrollsSideways, silentControls, type Visit, visit } from './browser.ts'

// Whoever leads sees which promise is broken, and is in that incident with two actions.

/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 30_000 }
const { url, databaseUrl } = inject('product')
const WORST = 'Longest overdue of all'
/** What the other tests open is younger. */
const LONG_AGO_DAYS = 400

let browser: Browser
let window: Visit
let page: Page
const dialogs: string[] = []

beforeAll(async () => {
  await inDatabase(async (client) => {
    const open = `
      insert into incidents (id, title, severity, assignee_id, opened_by, created_at, updated_at)
      values ($1, $2, 'CRITICAL', $3, 'test', now() - make_interval(days => $4), now())`
    await client.query(open, [newId(), WORST, null, LONG_AGO_DAYS + 100])
    for (const [n, text] of HOSTILE_TEXTS.entries()) {
      const analyst = newId()
      const account = `insert into users (id, username, password_hash, role, created_at, updated_at) values ($1, $2, 'none', 'ANALYST', now(), now())`
      await client.query(account, [analyst, text.slice(0, 64)])
      await client.query(open, [newId(), text.slice(0, 200), analyst, LONG_AGO_DAYS + n])
    }
  })
  browser = await launch()
  window = await visit(browser)
  page = window.page
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await logIn(window, 'ana', '/iocs')
})
afterAll(async () => {
  await window.close()
  await browser.close()
  // Other files begin with incidents and accounts of their own.
  await inDatabase(async (client) => {
    await client.query('delete from incidents where created_at < now() - make_interval(days => $1)', [LONG_AGO_DAYS - 1])
    await client.query(`delete from users where password_hash = 'none'`)
  })
})

async function inDatabase(act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}

function newId(): string {
  return randomUUID().replace(/^(.{14})./, '$17')
}

const worst = (of: Page) => of.getByRole('grid').getByRole('row').filter({ hasText: WORST }).first()

test('two actions lead from anywhere into the incident that is overdue for the longest', async () => {
  window.resetActions()
  await window.press('g s')
  await worst(page).waitFor(PATIENTLY)
  await expect.poll(async () => await page.evaluate<string>('document.activeElement.textContent'), PATIENTLY).toContain(WORST)
  await window.press('Enter')
  await page.getByRole('heading', { name: WORST }).waitFor(PATIENTLY)
  expect(window.actions()).toBe(2)
})

test('the palette leads there, the period stands in the address, and what happens elsewhere shows by itself', async () => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('soc')
  await page.getByRole('option', { name: /Go to SOC steering/ }).click()
  await worst(page).waitFor(PATIENTLY)
  await page.getByRole('link', { name: '90 days' }).click()
  await expect.poll(() => page.url(), PATIENTLY).toContain('/soc?days=90')
  await page.getByText('A bar is a week').waitFor({ state: 'detached', ...PATIENTLY })
  await page.getByRole('link', { name: '365 days' }).click()
  await page.getByText('A bar is a week').waitFor(PATIENTLY)
  const open = async () =>
    Number(/([\d,]+) open/.exec((await page.getByText(/broken, [\d,]+ open/).textContent()) ?? '')?.[1]?.replace(',', ''))
  const before = await open()
  await asUser('ana', async (call) => expect((await call('POST', '/incidents', { title: 'New elsewhere' })).status).toBe(201))
  await expect.poll(open, PATIENTLY).toBe(before + 1)
})

test('what is drawn is said as well, and the CSV is that of the period', async () => {
  await page.goto(`${url}/soc?days=365`)
  await page.getByRole('img', { name: /\d+ opened, .* open at the end/ }).waitFor(PATIENTLY)
  await page
    .getByText(/target 1 d, n \d+/)
    .first()
    .waitFor(PATIENTLY)
  await page.getByRole('button', { name: 'As a table' }).click()
  await page.getByRole('columnheader', { name: 'Open at the end' }).waitFor(PATIENTLY)
  const waiting = page.waitForEvent('download', PATIENTLY)
  await page.getByRole('button', { name: 'CSV' }).click()
  const lines = readFileSync(await (await waiting).path(), 'utf8').split('\r\n')
  expect(lines[0]).toBe('section,name,measure,value')
  expect(lines.filter((line) => line.startsWith('per_day,') && line.includes(',opened,'))).toHaveLength(365)
})

test('titles and names are text', async () => {
  await page.goto(`${url}/soc?clocks=all`)
  await worst(page).waitFor(PATIENTLY)
  for (const text of HOSTILE_TEXTS) {
    await page.getByRole('grid').getByText(text.slice(0, 200), { exact: true }).first().waitFor(PATIENTLY)
    await page.getByRole('region', { name: 'Load by analyst' }).getByText(text.slice(0, 64), { exact: true }).waitFor(PATIENTLY)
  }
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  expect(await page.locator('main :is(script, img, iframe, object, embed, video, base, meta, link, style, math)').count()).toBe(0)
  expect(await page.locator('[href^="javascript:" i], [src^="javascript:" i], [href^="data:" i]').count()).toBe(0)
  expect(dialogs).toEqual([])
  expect(window.complaints).toEqual([])
})

test('with nothing opened yet it says where times come from', async () => {
  const path = '**/api/v1/dashboard/soc?*'
  await page.route(path, async (route) => {
    const answer = await route.fetch()
    const metrics = (await answer.json()) as { per_day: object[] }
    const none = { n: 0, mean_ms: null, median_ms: null, p90_ms: null, by_severity: [] }
    const open = { total: 0, by_level: [], by_severity: [] }
    const empty = { take_in: none, resolution: none, open, breaches: { take_in: 0, resolution: 0, items: [] }, next: [], per_day: [] }
    await route.fulfill({ response: answer, json: { ...metrics, ...empty } })
  })
  await page.goto(`${url}/soc`)
  await page.getByText('No incident in these days, and none open').waitFor(PATIENTLY)
  expect(await accessibilityFaults(window)).toEqual([])
  await page.unroute(path)
})

test.each(['light', 'dark'] as const)(
  'a VIEWER sees all but who carries how much; no fault that axe finds, in the %s theme',
  async (theme) => {
    const other = await visit(browser, { theme, width: 1440, height: 900 })
    await logIn(other, 'vera', '/soc')
    await worst(other.page).waitFor(PATIENTLY)
    await other.page.getByText('Needs ANALYST or ADMIN').waitFor(PATIENTLY)
    expect(await other.page.getByRole('region', { name: 'Load' }).getByRole('listitem').count()).toBe(0)
    if (theme === 'light') {
      expect((await closedControls(other)).map(({ name }) => name)).toEqual(['Administration'])
      expect(await silentControls(other)).toEqual([])
    }
    for (const width of [1440, 390]) {
      await other.page.setViewportSize({ width, height: 900 })
      await expect.poll(async () => await scrollsSideways(other), PATIENTLY).toBe(false)
      expect(await accessibilityFaults(other), `at ${width}`).toEqual([])
    }
    expect(other.complaints).toEqual([])
    await other.close()
  },
)
