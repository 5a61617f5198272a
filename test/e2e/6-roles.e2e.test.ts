import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { asUser } from './api.ts'
import { accessibilityFaults, closedControls, focusByKeyboard, launch, logIn, silentControls, type Visit, visit } from './browser.ts'

let browser: Browser

const { url, listUrl } = inject('product')
let feedId: string

beforeAll(async () => {
  browser = await launch()
  await asUser('admin', async (call) => {
    await call('POST', '/indicators', { indicators: [{ value: 'walked.example.com' }] })
    const { body } = await call('POST', '/feeds', { name: 'Walked', url: `${listUrl}second.csv`, format: 'CSV', is_active: false })
    feedId = String(body['id'])
  })
})
afterAll(async () => {
  // Other files begin with a list of their own.
  await asUser('admin', async (call) => await call('DELETE', `/feeds/${feedId}`))
  await browser.close()
})

/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 10_000 }

/** What each role must find closed, by screen, with a word of the reason. */
const CLOSED = {
  VIEWER: {
    '/iocs': { 'Submit IOCs': 'Needs ANALYST or ADMIN', Administration: 'Only ADMIN' },
    '/iocs opened': { Exclude: 'Needs ANALYST or ADMIN', 'Open incident': 'Needs ANALYST or ADMIN' },
    '/sources': { 'Add source': 'Only ADMIN' },
    '/sources opened': { 'Collect now': 'Only ADMIN', Edit: 'Only ADMIN', Delete: 'Only ADMIN' },
  },
  ANALYST: {
    '/iocs': { Administration: 'Only ADMIN' },
    '/iocs opened': {},
    '/sources': { 'Add source': 'Only ADMIN' },
    '/sources opened': { 'Collect now': 'Only ADMIN', Edit: 'Only ADMIN', Delete: 'Only ADMIN' },
  },
} as const

describe.each([
  { role: 'VIEWER', username: 'vera' },
  { role: 'ANALYST', username: 'ana' },
] as const)('$role', ({ role, username }) => {
  let window: Visit
  beforeAll(async () => {
    window = await visit(browser)
    await logIn(window, username, '/iocs?value=walked.example.com')
  })
  afterAll(async () => {
    expect(window.complaints).toEqual([])
    await window.close()
  })

  /** Every closed control says why: to assistive technology, to the mouse and to the keyboard; none of the expected is missing. */
  async function walk(expected: Readonly<Record<string, string>>): Promise<void> {
    const reasons = async () => (await closedControls(window)).map(({ description }) => description)
    await expect.poll(reasons, PATIENTLY).not.toContain('Your role is being read')
    const closed = await closedControls(window)
    expect(closed.filter(({ description }) => description === '')).toEqual([])
    for (const [name, reason] of Object.entries(expected)) {
      expect(closed.find((control) => control.name.startsWith(name))?.description, name).toContain(reason)
    }
    expect(await silentControls(window)).toEqual([])
    // What is closed the native way can be reached by no key, and has no way to say why.
    expect(await window.page.locator(':disabled:visible').count()).toBe(0)
    expect(await accessibilityFaults(window)).toEqual([])
  }

  test('IOCs: list and drawer', async () => {
    const { page } = window
    await page.getByRole('grid').getByText('walked.example.com').first().waitFor()
    await expect.poll(async () => (await closedControls(window)).length, PATIENTLY).toBeGreaterThan(0)
    await walk(CLOSED[role]['/iocs'])
    await page.getByRole('grid').getByText('walked.example.com').first().click()
    await page.getByText('rounded once').first().waitFor()
    await walk(CLOSED[role]['/iocs opened'])
  })

  test('the full page of an IOC', async () => {
    const { page } = window
    await page.getByRole('link', { name: 'Full page' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('walked.example.com').waitFor()
    await walk(CLOSED[role]['/iocs opened'])
  })

  test('Sources: list and drawer', async () => {
    const { page } = window
    await page.goto(`${url}/sources`)
    await page.getByRole('grid').getByRole('switch').first().waitFor()
    await expect
      .poll(async () => await page.getByRole('button', { name: 'Add source' }).getAttribute('aria-disabled'), PATIENTLY)
      .toBe('true')
    await walk(CLOSED[role]['/sources'])
    await page.getByRole('grid').getByRole('row').nth(1).focus()
    // A key that is not allowed says so instead of doing nothing.
    await page.keyboard.press('e')
    await page.getByRole('alert').filter({ hasText: 'Only ADMIN' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Collect now' }).waitFor()
    await walk(CLOSED[role]['/sources opened'])
  })

  test('Account: sessions and password', async () => {
    const { page } = window
    await page.goto(`${url}/account/sessions`)
    await page.getByText('This session', { exact: true }).first().waitFor()
    await walk({ 'End the session': 'Log out to end this session' })
    await page.goto(`${url}/account/password`)
    await page.getByLabel('Current password').waitFor()
    await walk({ Administration: 'Only ADMIN' })
  })

  test('Administration is closed: the link, the key and the address say why', async () => {
    const { page } = window
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Administration' })
    await focusByKeyboard(page, link)
    await page.getByRole('tooltip').filter({ hasText: 'Only ADMIN' }).waitFor()
    await page.keyboard.press('Enter')
    expect(page.url()).toContain('/account/password')
    await page.locator('#content').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await page.getByRole('alert').filter({ hasText: 'Only ADMIN' }).first().waitFor()
    expect(page.url()).toContain('/account/password')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const part of ['users', 'audit', 'settings']) {
      await page.goto(`${url}/administration/${part}`)
      await page.getByText('Administration is for administrators').waitFor()
      await walk({ Administration: 'Only ADMIN' })
    }
    // Nothing that would be refused was asked for.
    expect(asked.filter((path) => /\/api\/v1\/(users$|audit|settings)/.test(path))).toEqual([])
  })

  test('the palette lists what is closed with its reason', async () => {
    const { page } = window
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').first().fill('administration')
    const entry = page.getByRole('option', { name: /Go to Administration/ })
    await entry.getByText('Only ADMIN').waitFor()
    expect(await entry.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('option').count()).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
  })
})

test.each(['light', 'dark'] as const)('the closed parts are accessible in the %s theme', async (theme) => {
  const view = await visit(browser, { theme })
  await logIn(view, 'vera', '/administration/users')
  await view.page.getByText('Administration is for administrators').waitFor()
  expect(await accessibilityFaults(view)).toEqual([])
  await view.page.goto(`${url}/sources`)
  await view.page.getByRole('grid').getByRole('switch').first().waitFor()
  expect(await accessibilityFaults(view)).toEqual([])
  expect(view.complaints).toEqual([])
  await view.close()
})
