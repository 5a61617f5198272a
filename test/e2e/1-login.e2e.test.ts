import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { accessibilityFaults, launch, logIn, visit } from './browser.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => await browser.close())

test('a wrong password and an unknown name get one and the same answer, and the right one leads to the address that was asked for', async () => {
  const { url, password } = inject('product')
  const window = await visit(browser)
  const { page } = window
  const texts: string[] = []
  for (const [name, secret] of [
    ['admin', 'wrong password here'],
    ['nobody', password],
  ] as const) {
    await page.goto(`${url}/sources?q=evil`)
    await page.getByLabel('User name').fill(name)
    await page.getByLabel('Password', { exact: true }).fill(secret)
    await page.keyboard.press('Enter')
    texts.push((await page.getByRole('alert').first().textContent())?.replaceAll(/[0-9a-f-]{20,}/g, '') ?? '')
  }
  expect(texts[0]).toBe(texts[1])
  await logIn(window, 'admin', '/sources?q=evil')
  await page.waitForURL('**/sources?q=evil')
  expect(window.complaints).toEqual([])
  await window.close()
})

test.each(['light', 'dark'] as const)('the login is accessible in the %s theme', async (theme) => {
  const window = await visit(browser, { theme })
  await window.page.goto(inject('product').url)
  await window.page.getByLabel('User name').waitFor()
  expect(await accessibilityFaults(window)).toEqual([])
  expect(window.complaints).toEqual([])
  await window.close()
})
