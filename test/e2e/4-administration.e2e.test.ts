import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { asUser, userOf } from './api.ts'
import { accessibilityFaults, focusByKeyboard, launch, logIn, scrollsSideways, type Visit, visit } from './browser.ts'

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

const { url } = inject('product')
/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 10_000 }

describe('users', () => {
  test('are two keys away', async () => {
    await window.page.locator('#content').focus()
    await window.press('g')
    await window.press('x')
    await window.page.waitForURL('**/administration/users')
    await window.page.getByRole('grid').getByText('vera').waitFor()
  })

  test('the last active administrator cannot be taken away, and it is said beforehand', async () => {
    const { page } = window
    await page.goto(`${url}/administration/users`)
    await page.getByRole('grid').getByText('admin', { exact: true }).click()
    const drawer = page.getByRole('dialog').first()
    await drawer.getByText('Last active administrator', { exact: true }).waitFor()
    for (const [name, reason] of [
      ['Disable', 'Last active administrator cannot be disabled'],
      ['Change role', 'Last active administrator cannot get another role'],
    ] as const) {
      const button = drawer.getByRole('button', { name })
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      await focusByKeyboard(page, button)
      await page.getByRole('tooltip').filter({ hasText: reason }).waitFor()
    }
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
  })

  test('a new account gets a generated password, shown once, with which its holder logs in', async () => {
    const { page } = window
    await page.goto(`${url}/administration/users`)
    await page.getByRole('grid').getByText('vera').waitFor()
    await page.locator('#content').focus()
    await window.press('n')
    const dialog = page.getByRole('dialog').filter({ hasText: 'New account' })
    await dialog.getByLabel('User name').fill('vera')
    await page.keyboard.press('Enter')
    await expect.poll(async () => await dialog.getByLabel('User name').getAttribute('aria-invalid'), PATIENTLY).toBe('true')
    await dialog.getByLabel('User name').fill('new.analyst')
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('ANALYST')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'New account' }).click()
    await dialog.getByLabel('User name').fill('new.analyst')
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('ANALYST')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    const secret = page.getByRole('dialog').filter({ hasText: 'shown once' })
    const password = (await secret.getByRole('status', { name: 'Generated password' }).textContent()) ?? ''
    expect(password.length).toBeGreaterThanOrEqual(12)
    // A click beside it or Escape would lose it for good.
    await page.keyboard.press('Escape')
    await secret.getByRole('button', { name: 'I have kept it' }).click()
    await secret.waitFor({ state: 'hidden' })
    expect((await page.content()).includes(password)).toBe(false)
    expect(page.url()).not.toContain(password)
    const holder = await visit(browser)
    await logIn(holder, 'new.analyst', '/iocs', password)
    await holder.page.getByRole('button', { name: 'Account of new.analyst' }).waitFor()
    await holder.close()
  })

  test('a change on top of one that was not seen is refused, explained, and done again on the newer version', async () => {
    const { page } = window
    const { id } = await asUser('admin', async (call) => await userOf(call, 'contested'))
    await page.goto(`${url}/administration/users?open=${id}`)
    await page.getByRole('button', { name: 'Change role' }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: 'Change the role of contested' })
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('ADMIN')
    await asUser('admin', async (call) => await call('PATCH', `/users/${id}`, { role: 'ANALYST' }))
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await dialog.getByText('Role: Viewer → Analyst').waitFor()
    await dialog.getByRole('button', { name: 'Go on with the newer version' }).click()
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('VIEWER')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('contested is viewer now').waitFor()
  })

  test('an account is disabled only after its name was typed, and enabled again', async () => {
    const { page } = window
    const { id } = await asUser('admin', async (call) => await userOf(call, 'contested'))
    await page.goto(`${url}/administration/users?open=${id}`)
    await page.getByRole('button', { name: 'Disable' }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: 'Disable contested' })
    const submit = dialog.getByRole('button', { name: 'Disable account' })
    await dialog.getByLabel('Type contested to confirm').fill('conte')
    expect(await submit.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Type contested to confirm').fill('contested')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
  })

  test('a reset shows another password once, and ended sessions are counted down to none', async () => {
    const { page } = window
    const { id } = await asUser('admin', async (call) => await userOf(call, 'contested'))
    const holder = await visit(browser)
    await logIn(holder, 'contested', '/iocs')
    await page.goto(`${url}/administration/users?open=${id}`)
    await page.getByRole('button', { name: 'End sessions' }).click()
    await page.getByLabel('Type contested to confirm').fill('contested')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => await page.getByRole('button', { name: 'End sessions' }).getAttribute('aria-disabled'), PATIENTLY)
      .toBe('true')
    await holder.page.goto(`${url}/sources`)
    await holder.page.getByText('Your session has ended').waitFor()
    await holder.close()
    await page.getByRole('button', { name: 'Reset password' }).click()
    await page.getByLabel('Type contested to confirm').fill('contested')
    await page.keyboard.press('Enter')
    await page.getByRole('status', { name: 'Generated password' }).waitFor()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(await page.getByRole('status', { name: 'Generated password' }).textContent())
    await page.getByRole('button', { name: 'I have kept it' }).click()
  })
})

describe('the journal', () => {
  /** Other files disable accounts too: the rows of this file's own one. */
  const disabling = () =>
    window.page.getByRole('grid').getByRole('row').filter({ hasText: 'user.disabled' }).filter({ hasText: 'contested' })

  test('is filtered by action, outcome, time and actor, all of it in the address', async () => {
    const { page } = window
    await page.goto(`${url}/administration/audit`)
    await page.getByRole('grid').getByText('user.created').first().waitFor()
    await page.getByLabel('Action begins with').fill('user.')
    await page.keyboard.press('Enter')
    await page.waitForURL(/action=user\./)
    await page.getByRole('combobox', { name: 'Time' }).selectOption('24')
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('SUCCESS')
    await page.getByLabel('Actor', { exact: true }).fill('ADMIN')
    await page.keyboard.press('Enter')
    await page.waitForURL(/actor=ADMIN/)
    expect(new URL(page.url()).search).toBe('?action=user.&outcome=SUCCESS&since=24&actor=ADMIN')
    await disabling().waitFor()
    await expect.poll(async () => await page.getByRole('grid').getByText('auth.login').count(), PATIENTLY).toBe(0)
    await page.reload()
    await disabling().waitFor()
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('DENIED')
    await page.getByText('No event matches these filters').waitFor()
    await page.goBack()
    await disabling().waitFor()
  })

  test('a row opens to every field, its details, its place in the chain, and everything of its request', async () => {
    const { page } = window
    await disabling().click()
    const drawer = page.getByRole('dialog').first()
    await drawer.getByText('Intact').waitFor()
    await drawer.getByText('127.0.0.1').first().waitFor()
    await drawer.getByRole('button', { name: 'Everything of this request' }).click()
    await drawer.getByText('PATCH /api/v1/users/:id').waitFor()
    await drawer.getByText('200', { exact: true }).waitFor()
    expect(page.url()).toContain('trace=true')
    expect(await accessibilityFaults(window)).toEqual([])
    await drawer.getByRole('link', { name: 'Show these events alone' }).click()
    await page.waitForURL(/request_id=/)
  })

  test('a row that is not what was written cannot be overlooked', async () => {
    const { page } = window
    await page.route('**/api/v1/audit?*', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { items: { chain: string }[] }
      for (const item of body.items.slice(0, 1)) item.chain = 'BROKEN'
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(`${url}/administration/audit`)
    await page.getByRole('alert').filter({ hasText: '1 row on this page is not what was written' }).waitFor()
    await page.getByRole('grid').getByText('Broken').first().waitFor()
    expect(await accessibilityFaults(window)).toEqual([])
    await page.unroute('**/api/v1/audit?*')
  })

  test('older pages are reached with the keyboard, and newer ones again', async () => {
    const { page } = window
    await page.goto(`${url}/administration/audit`)
    await page.route('**/api/v1/audit?*', async (route) => {
      // Pages of three rows, so that there are several.
      await route.continue({ url: route.request().url().replace('limit=50', 'limit=3') })
    })
    await page.reload()
    await page.getByText(/^1 to 3 of/).waitFor()
    await page.getByRole('grid').getByRole('row').nth(1).focus()
    await page.keyboard.press(']')
    await page.getByText(/^4 to 6 of/).waitFor()
    await page.waitForURL(/cursor=/)
    await page.keyboard.press('[')
    await page.getByText(/^1 to 3 of/).waitFor()
    await page.unroute('**/api/v1/audit?*')
  })
})

test('settings show their values, and of secrets only whether they are there', async () => {
  const { page } = window
  await page.goto(`${url}/administration/settings?q=SECRET_KEY`)
  const rows = page.getByRole('grid').getByRole('row')
  await rows.filter({ hasText: 'SECRET_KEY_PREVIOUS' }).getByText('Secret, absent').waitFor()
  expect(await rows.count()).toBeLessThan(6)
  await page.getByRole('combobox', { name: 'Which settings' }).selectOption('set')
  await page.waitForURL(/show=set/)
  await page.getByLabel('Name, value or meaning').fill('RATE_LIMIT_PER_ADDRESS')
  await rows.filter({ hasText: 'RATE_LIMIT_PER_ADDRESS' }).getByText('0', { exact: true }).waitFor()
  expect(window.complaints).toEqual([])
})

// What axe finds depends on the theme and on the layout, not on each width: both themes and all three layouts are judged.
// biome-ignore format: one case per line
test.each([
  { theme: 'light', width: 1440, is: 'accessible and fits' },
  { theme: 'light', width: 768,  is: 'accessible and fits' },
  { theme: 'dark',  width: 390,  is: 'accessible and fits' },
  { theme: 'dark',  width: 1440, is: 'as wide as the window' },
  { theme: 'light', width: 320,  is: 'as wide as the window' },
] as const)('every part is $is, $theme at $width px', async ({ theme, width, is }) => {
  const view = await visit(browser, { theme, width })
  const { page } = view
  const isFine = async () => {
    if (is === 'accessible and fits') expect(await accessibilityFaults(view)).toEqual([])
    expect(await scrollsSideways(view)).toBe(false)
  }
  await logIn(view, 'admin', '/administration/users')
  await page.getByText('new.analyst').first().waitFor()
  await isFine()
  await page.getByText('new.analyst').first().click()
  await page.getByRole('button', { name: 'Disable' }).waitFor()
  await isFine()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByLabel('Type new.analyst to confirm').waitFor()
  await isFine()
  await page.goto(`${url}/administration/users?dialog=create`)
  await page.getByRole('dialog').getByLabel('User name').waitFor()
  await isFine()
  await page.goto(`${url}/administration/audit`)
  await page.getByText('auth.login').first().waitFor()
  await isFine()
  await page.getByText('auth.login').first().click()
  await page.getByRole('button', { name: 'Everything of this request' }).waitFor()
  await isFine()
  await page.goto(`${url}/administration/settings`)
  await page.getByText('SECRET_KEY', { exact: true }).first().waitFor()
  await isFine()
  expect(view.complaints).toEqual([])
  await view.close()
})
