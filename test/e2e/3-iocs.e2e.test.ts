import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { accessibilityFaults, launch, logIn, scrollsSideways, type Visit, visit } from './browser.ts'

let browser: Browser
let window: Visit

beforeAll(async () => {
  browser = await launch()
  window = await visit(browser)
  await logIn(window, 'admin', '/iocs')
})
afterAll(async () => {
  await window.close()
  await browser.close()
})

test('IOCs are submitted by paste, with counts by type while typing, and each refusal has its reason', async () => {
  const { page } = window
  await page.getByRole('button', { name: 'Submit IOCs' }).first().click()
  const box = page.getByRole('dialog').getByRole('textbox').first()
  await box.fill('hxxps://pasted[.]example[.]com/a\n198.51.100.23\n127.0.0.1\npasted.example.com')
  await page.getByRole('dialog').getByText(/1 URL/).first().waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Submit/ })
    .click()
  await page.getByRole('button', { name: 'Done' }).waitFor()
  const shown = (await page.getByRole('dialog').textContent()) ?? ''
  expect(shown).toMatch(/new\s*3/)
  expect(shown).toMatch(/refused\s*1/)
  expect(shown.toLowerCase()).toContain('loopback')
  await page.keyboard.press('Escape')
})

test('looking one value up takes three actions from anywhere: Ctrl+K, paste, Enter', async () => {
  const { page } = window
  await page.goto(`${inject('product').url}/sources`)
  await page.getByRole('navigation').first().waitFor()
  window.resetActions()
  await window.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').or(page.getByRole('dialog').getByRole('textbox')).first().waitFor()
  await window.paste('pasted[.]example[.]com')
  await page.getByText('Look up pasted').first().waitFor()
  await window.press('Enter')
  await page.waitForURL(/\/iocs/)
  await page.getByText('pasted.example.com').first().waitFor()
  expect(window.actions()).toBe(3)
})

test('an indicator opens to the arithmetic of its confidence', async () => {
  const { page } = window
  await page.goto(`${inject('product').url}/iocs?value=pasted.example.com`)
  await page.getByRole('grid').getByText('pasted.example.com').first().click()
  const drawer = page.getByRole('dialog').first()
  // An analyst's own fresh submission: 60 x 0.75 + 30 + 0.
  await drawer.getByText('75 = sources 45.0 + freshness 30.0 + recurrence 0.0, rounded once').waitFor()
  await drawer.getByText('Analysts').first().waitFor()
  expect(page.url()).toContain('open=')
})

test('filters live in the address, and Back restores them', async () => {
  const { page } = window
  await page.goto(`${inject('product').url}/iocs?type=IPV4`)
  await page.getByRole('grid').getByText('198.51.100.23').first().waitFor()
  expect(await page.getByRole('grid').getByText('pasted.example.com').count()).toBe(0)
  await page.goto(`${inject('product').url}/iocs?type=nonsense`)
  await page.getByRole('grid').getByText('pasted.example.com').first().waitFor()
  await page.goBack()
  await page.getByRole('grid').getByText('198.51.100.23').first().waitFor()
  expect(page.url()).toContain('type=IPV4')
})

describe('a viewer', () => {
  test('sees the actions disabled, with the reason for mouse, keyboard and screen reader', async () => {
    const viewer = await visit(browser)
    await logIn(viewer, 'vera', '/iocs')
    const submit = viewer.page.getByRole('button', { name: 'Submit IOCs' }).first()
    await submit.waitFor()
    expect(await submit.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(async () => await submit.textContent()).toContain('ANALYST')
    const described = await submit.getAttribute('aria-describedby')
    expect(await viewer.page.locator(`[id="${described?.split(' ')[0]}"]`).textContent()).toContain('ANALYST')
    await submit.focus()
    await viewer.page.getByRole('tooltip').waitFor()
    await viewer.page.keyboard.press('Enter')
    expect(await viewer.page.getByRole('dialog').count()).toBe(0)
    await viewer.close()
  })
})

test.each([
  { theme: 'light', width: 1366 },
  { theme: 'dark', width: 1366 },
  { theme: 'light', width: 768 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 1920 },
] as const)('the list and the open drawer are accessible and fit, $theme at $width px', async ({ theme, width }) => {
  const view = await visit(browser, { theme, width })
  await logIn(view, 'admin', '/iocs')
  await view.page.getByText('pasted.example.com').first().waitFor()
  expect(await accessibilityFaults(view)).toEqual([])
  expect(await scrollsSideways(view)).toBe(false)
  await view.page.getByText('pasted.example.com').first().click()
  await view.page.getByText('rounded once').first().waitFor()
  expect(await accessibilityFaults(view)).toEqual([])
  expect(await scrollsSideways(view)).toBe(false)
  expect(view.complaints).toEqual([])
  await view.close()
})
