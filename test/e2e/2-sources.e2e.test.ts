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

const { listUrl } = inject('product')

test('adding a feed and seeing it healthy takes five actions: Sources, n, paste the URL, Test, Save', async () => {
  const { page } = window
  window.resetActions()
  await page.getByRole('link', { name: 'Sources' }).first().click()
  await page.getByRole('heading', { name: 'Sources' }).waitFor()
  await page.getByText('No source yet').waitFor()
  await window.press('n')
  await page.getByRole('dialog').getByLabel('URL').first().waitFor()
  await window.paste(`${listUrl}threats.csv`)
  await window.press('Enter')
  await page.getByText('121 rows would be read').waitFor()
  await page
    .getByText(/loopback/i)
    .first()
    .waitFor()
  await window.press('Enter')
  expect(window.actions() + 1).toBe(5)
  // The row turns healthy by itself, without a reload.
  await page.getByRole('grid').getByText('Healthy').first().waitFor()
  expect(window.complaints).toEqual([])
})

test('an open source shows its runs, and what was refused with line and reason', async () => {
  const { page } = window
  await page.getByRole('grid').getByRole('row').nth(1).click()
  const drawer = page.getByRole('dialog').first()
  await drawer.getByText('Succeeded').first().waitFor()
  await drawer.getByText('127.0.0.1').first().waitFor()
  await drawer.getByText('122').first().waitFor()
  expect(page.url()).toContain('open=')
  expect(await accessibilityFaults(window)).toEqual([])
  await page.keyboard.press('Escape')
})

test('a refused address is explained at its field, word for word', async () => {
  const { page } = window
  await page.getByRole('button', { name: 'Add source' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').first().fill('https://10.0.0.1/list.txt')
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  const url = dialog.getByLabel('URL').first()
  await expect.poll(async () => await url.getAttribute('aria-invalid')).toBe('true')
  expect((await dialog.textContent()) ?? '').toMatch(/10\.0\.0\.1|internal|address/i)
  expect(await accessibilityFaults(window)).toEqual([])
  await page.keyboard.press('Escape')
})

test('a list can be collected again by hand, and deleted with what it would take named first', async () => {
  const { page } = window
  await page.goto(`${inject('product').url}/sources`)
  await page.getByRole('grid').getByRole('row').nth(1).click()
  const drawer = page.getByRole('dialog').first()
  await drawer.getByRole('button', { name: 'Collect now' }).click()
  await drawer.getByText('Unchanged').first().waitFor()
  await drawer.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('121 values are on its list now.').waitFor()
  await page.getByText('Also remove the 121 values that no other source has reported').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).last().click()
})

describe('a viewer', () => {
  test('sees every action disabled with its reason', async () => {
    const viewer = await visit(browser)
    await logIn(viewer, 'vera', '/sources')
    const add = viewer.page.getByRole('button', { name: 'Add source' }).first()
    await add.waitFor()
    expect(await add.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(async () => await add.textContent()).toContain('ADMIN')
    await viewer.page.keyboard.press('n')
    expect(await viewer.page.getByRole('dialog').count()).toBe(0)
    await viewer.page.getByRole('grid').getByRole('row').nth(1).click()
    const drawer = viewer.page.getByRole('dialog').first()
    for (const name of ['Collect now', 'Edit', 'Delete']) {
      expect(await drawer.getByRole('button', { name }).first().getAttribute('aria-disabled')).toBe('true')
    }
    await viewer.close()
  })
})

test.each([
  { theme: 'light', width: 1366 },
  { theme: 'dark', width: 1366 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 1920 },
] as const)('the list and the form are accessible and fit, $theme at $width px', async ({ theme, width }) => {
  const view = await visit(browser, { theme, width })
  await logIn(view, 'admin', '/sources')
  await view.page.getByText('Healthy').first().waitFor()
  expect(await accessibilityFaults(view)).toEqual([])
  expect(await scrollsSideways(view)).toBe(false)
  await view.page.getByRole('button', { name: 'Add source' }).first().click()
  await view.page.getByRole('dialog').getByLabel('URL').first().waitFor()
  expect(await accessibilityFaults(view)).toEqual([])
  expect(await scrollsSideways(view)).toBe(false)
  expect(view.complaints).toEqual([])
  await view.close()
})
