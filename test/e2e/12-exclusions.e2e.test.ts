import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { asUser } from './api.ts'
import { accessibilityFaults, launch, logIn, scrollsSideways, type Visit, visit } from './browser.ts'

// A false positive disappears everywhere: excluded with three keys, named by a lookup, and taken back by an administrator.

/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 30_000 }
const { url } = inject('product')
const VALUE = 'harmless.exclusions.example.com'

let browser: Browser
let window: Visit
let page: Page

beforeAll(async () => {
  browser = await launch()
  window = await visit(browser)
  page = window.page
  await asUser('ana', async (call) => {
    const values = [VALUE, 'one.below.exclusions.example.com', 'two.below.exclusions.example.com', 'below.exclusions.example.com']
    expect((await call('POST', '/indicators', { indicators: values.map((value) => ({ value })) })).status).toBe(200)
  })
  await logIn(window, 'ana', `/iocs?value=${VALUE}`)
})
afterAll(async () => {
  await window.close()
  await browser.close()
})

test('three actions exclude an open IOC: e, the reason, Ctrl+Enter; it is gone for others without a reload', async () => {
  const other = await visit(browser)
  await logIn(other, 'vera', '/iocs?type=DOMAIN')
  const row = other.page.getByRole('grid').getByText(VALUE)
  await row.first().waitFor(PATIENTLY)

  await page.getByRole('grid').getByText(VALUE).first().click()
  await page.getByRole('dialog').getByText('rounded once').waitFor(PATIENTLY)
  window.resetActions()
  await window.press('e')
  await page.getByLabel('Why is it harmless?').waitFor(PATIENTLY)
  await page.getByText('It takes 1 IOC out of every list').waitFor(PATIENTLY)
  await window.paste('our own <b>test</b> host')
  await window.press('ControlOrMeta+Enter')
  await page.getByText(`${VALUE} is excluded`).first().waitFor(PATIENTLY)
  expect(window.actions()).toBe(3)
  await page.getByRole('note', { name: 'Excluded' }).getByText('Because: our own <b>test</b> host').waitFor(PATIENTLY)

  await row.first().waitFor({ state: 'detached', ...PATIENTLY })
  await other.close()
})

test('a lookup names who excluded a value that is not stored, and why', async () => {
  await asUser('ana', async (call) => {
    const body = { value: '*.silent.exclusions.example.com', reason: 'content network' }
    expect((await call('POST', '/exclusions', body)).status).toBe(200)
  })
  await page.goto(`${url}/iocs`)
  await page.getByRole('navigation').first().waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor(PATIENTLY)
  await window.paste('a.silent.exclusions.example.com')
  await page.getByText('Look up a.silent').first().waitFor(PATIENTLY)
  await page.keyboard.press('Enter')
  await page.getByText('a.silent.exclusions.example.com is excluded').first().waitFor(PATIENTLY)
  await page
    .getByText(/by ana since .*because: content network/)
    .first()
    .waitFor(PATIENTLY)
  await page.keyboard.press('Escape')
})

test('a pattern shows what it takes away, and asks for the number before it silences much', async () => {
  await page.goto(`${url}/iocs?value=below.exclusions.example.com`)
  await page.getByRole('grid').getByText('below.exclusions.example.com').first().click()
  await page.getByRole('dialog').getByText('rounded once').waitFor(PATIENTLY)
  await page.keyboard.press('e')
  await page.getByLabel('Why is it harmless?').fill('a hosting service')
  await page.getByLabel('What is excluded').selectOption('DOMAIN')
  await page.getByText('It takes 3 IOCs out of every list').waitFor(PATIENTLY)
  await page.getByText('one.below.exclusions.example.com').waitFor()
  const exclude = page
    .getByRole('dialog')
    .getByRole('button', { name: /^Exclude/ })
    .last()
  expect(await exclude.getAttribute('aria-disabled')).toBe('true')
  expect(await exclude.textContent()).toContain('Confirm the number first')
  await page.getByLabel(/^Silence 3 IOCs: \d/).check()
  await exclude.click()
  await page.getByText('below.exclusions.example.com is excluded').waitFor(PATIENTLY)
})

test('only an administrator removes one, and is told first what comes back', async () => {
  await page.goto(`${url}/administration/exclusions`)
  await page.getByText('Administration is for administrators').waitFor(PATIENTLY)
  const admin = await visit(browser)
  await logIn(admin, 'admin', '/administration/exclusions')
  const grid = admin.page.getByRole('grid')
  await grid.getByText('a hosting service').waitFor(PATIENTLY)
  await grid.getByText('a hosting service').click()
  await admin.page.getByText('3 IOCs count again.').waitFor(PATIENTLY)
  await admin.page.getByRole('button', { name: 'Remove exclusion' }).click()
  await grid.getByText('a hosting service').waitFor({ state: 'detached', ...PATIENTLY })
  await asUser('ana', async (call) => {
    const { body } = await call('POST', '/indicators/lookup', { values: ['one.below.exclusions.example.com'] })
    expect(body['items']).toMatchObject([{ status: 'known', exclusion: null }])
  })
  await admin.close()
})

test.each([
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
] as const)('the dialog, the note and the list are accessible and fit, $theme at $width px', async ({ theme, width }) => {
  const view = await visit(browser, { theme, width, height: 860 })
  await logIn(view, 'admin', '/administration/exclusions')
  await view.page.getByText('our own <b>test</b> host').first().waitFor(PATIENTLY)
  await expectSound(view)
  await view.page.goto(`${url}/iocs?value=${VALUE}`)
  await view.page.getByRole('grid').getByText(VALUE).first().click()
  await view.page.getByRole('note', { name: 'Excluded' }).waitFor(PATIENTLY)
  await expectSound(view)
  await view.page.goto(`${url}/iocs?value=below.exclusions.example.com`)
  await view.page.getByRole('grid').getByText('below.exclusions.example.com').first().click()
  await view.page.getByRole('dialog').getByText('rounded once').waitFor(PATIENTLY)
  await view.page.keyboard.press('e')
  await view.page.getByLabel('What is excluded').selectOption('DOMAIN')
  await view.page.getByText('It takes 3 IOCs').waitFor(PATIENTLY)
  await expectSound(view)
  expect(view.complaints).toEqual([])
  await view.close()
})

async function expectSound(view: Visit): Promise<void> {
  expect(await accessibilityFaults(view)).toEqual([])
  expect(await scrollsSideways(view)).toBe(false)
}
