import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { asUser, userOf } from './api.ts'
import { accessibilityFaults, launch, logIn, scrollsSideways, type Visit, visit } from './browser.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => await browser.close())

const { url, password } = inject('product')
/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 10_000 }
const REFRESH = '**/api/v1/auth/refresh'

/** The account of each test, so that their sessions do not meet. */
async function makeUser(username: string): Promise<string> {
  return (await asUser('admin', async (call) => await userOf(call, username))).id
}

type Renewals = { count: number; done: number; most: number; refused: number[] }

/** Counts the renewals of all tabs of a window: how many, how many at the same time, and which were refused. */
function watchRenewals(context: BrowserContext): Renewals {
  const seen: Renewals = { count: 0, done: 0, most: 0, refused: [] }
  let under = 0
  const isRenewal = (address: string) => address.endsWith('/auth/refresh')
  context.on('request', (request) => {
    if (!isRenewal(request.url())) return
    seen.count++
    under++
    seen.most = Math.max(seen.most, under)
  })
  // A page that is left no longer hears of its request, which goes on without it.
  context.on('requestfailed', (request) => {
    if (isRenewal(request.url())) under--
  })
  context.on('requestfinished', async (request) => {
    if (!isRenewal(request.url())) return
    under--
    const status = (await request.response())?.status() ?? 0
    if (status !== 200) seen.refused.push(status)
    seen.done++
  })
  return seen
}

/** Notes whether the login form was ever drawn in this window. */
async function watchForLogin(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    new MutationObserver(() => {
      if (document.querySelector('input[autocomplete=current-password]') !== null) window.sawLogin = true
    }).observe(document, { childList: true, subtree: true })
  `)
}

async function refusedRenewals(username: string): Promise<number> {
  return await asUser('admin', async (call) => {
    const { body } = await call('GET', `/audit?action=auth.refresh&outcome=DENIED&actor=${username}`)
    return Number(body['total'])
  })
}

describe('a session', () => {
  test('outlives a reload without showing the login, and keeps no token where a script could find it', async () => {
    await makeUser('keeper')
    const window = await visit(browser)
    const { page } = window
    await logIn(window, 'keeper', '/sources?q=x')
    await watchForLogin(page.context())
    const renewals = watchRenewals(page.context())
    await page.reload()
    await page.getByRole('button', { name: 'Account of keeper' }).waitFor()
    expect(await page.evaluate('window.sawLogin === true')).toBe(false)
    expect(page.url()).toBe(`${url}/sources?q=x`)
    expect(renewals).toEqual({ count: 1, done: 1, most: 1, refused: [] })
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
    expect(stored).not.toMatch(/eyJ|svc_refresh/)
    expect(window.complaints).toEqual([])
    await window.close()
  })

  test('in many tabs is renewed by one of them at a time, and no token is ever used twice', async () => {
    await makeUser('tabber')
    const window = await visit(browser)
    await logIn(window, 'tabber', '/iocs')
    const renewals = watchRenewals(window.page.context())
    // No tab may hand its token over: each has to ask by itself.
    await window.page.goto('about:blank')
    const tabs = await Promise.all(Array.from({ length: 4 }, async () => await window.anotherTab()))
    await Promise.all(tabs.map(async (tab) => await tab.goto(`${url}/sources`)))
    await Promise.all(tabs.map(async (tab) => await tab.getByRole('button', { name: 'Account of tabber' }).waitFor()))
    expect(renewals.count).toBeGreaterThanOrEqual(1)
    expect(renewals.most).toBe(1)
    expect(renewals.refused).toEqual([])
    const [first] = tabs
    // Pages that are loaded again in the middle of a renewal leave it to their successors to wait for it.
    // By address: a page that is being replaced at this moment cannot be told to reload.
    for (let round = 0; round < 3; round++)
      await Promise.all(tabs.map(async (tab) => await tab.goto(`${url}/sources`, { waitUntil: 'commit' })))
    await Promise.all(tabs.map(async (tab) => await tab.getByRole('button', { name: 'Account of tabber' }).waitFor()))
    expect(renewals.refused).toEqual([])
    expect(await refusedRenewals('tabber')).toBe(0)
    await first?.getByRole('button', { name: 'Account of tabber' }).click()
    await first?.getByRole('button', { name: 'Log out' }).click()
    await Promise.all(tabs.slice(1).map(async (tab) => await tab.getByText('You logged out in another tab').waitFor()))
    await window.close()
  })

  test('is not asked for in a browser that has none, and only once where it is gone', async () => {
    const window = await visit(browser)
    const renewals = watchRenewals(window.page.context())
    await window.page.goto(`${url}/sources`)
    await window.page.getByLabel('User name').waitFor()
    expect(renewals.count).toBe(0)
    await window.page.evaluate("localStorage.setItem('svc.session', '1')")
    await window.page.goto(`${url}/sources`)
    await window.page.getByText('Your session has ended').waitFor()
    await window.page.reload()
    await window.page.getByLabel('User name').waitFor()
    expect(renewals).toEqual({ count: 1, done: 1, most: 1, refused: [401] })
    await window.close()
  })

  test('is renewed before its access token ends, and nobody notices', async () => {
    await makeUser('stayer')
    const window = await visit(browser)
    const { page } = window
    await page.clock.install()
    await logIn(window, 'stayer', '/sources')
    const renewals = watchRenewals(page.context())
    await page.clock.fastForward('14:00')
    await expect.poll(() => renewals.done, PATIENTLY).toBe(1)
    await page.clock.fastForward('14:00')
    await expect.poll(() => renewals.done, PATIENTLY).toBe(2)
    await page.getByRole('link', { name: 'IOCs' }).first().click()
    await page.getByRole('heading', { name: 'IOCs' }).waitFor()
    expect(renewals.refused).toEqual([])
    await window.close()
  })

  test('goes on when the server takes a token for expired: one renewal, and the same request once more', async () => {
    await makeUser('retrier')
    const window = await visit(browser)
    const { page } = window
    await logIn(window, 'retrier', '/iocs')
    const renewals = watchRenewals(page.context())
    let asked = 0
    await page.route('**/api/v1/feeds/health', async (route) => {
      asked++
      if (asked > 1) return await route.continue()
      await route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify({ code: 'token_expired' }) })
    })
    await page.getByRole('link', { name: 'Sources' }).first().click()
    await page.getByRole('heading', { name: 'Sources' }).waitFor()
    await expect.poll(() => asked, PATIENTLY).toBe(2)
    await page.getByRole('grid').getByRole('row').nth(1).waitFor()
    expect(renewals).toEqual({ count: 1, done: 1, most: 1, refused: [] })
    await window.close()
  })

  test('survives a service that cannot be reached for a while', async () => {
    await makeUser('patient')
    const window = await visit(browser)
    const { page } = window
    await page.clock.install()
    await logIn(window, 'patient', '/iocs')
    await page.route(REFRESH, async (route) => await route.abort('connectionrefused'))
    await page.clock.fastForward('20:00')
    await page.getByRole('link', { name: 'Sources' }).first().click()
    await page.getByText('No answer from the server').waitFor()
    expect(page.url()).toContain('/sources')
    await page.unroute(REFRESH)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('grid').getByRole('row').nth(1).waitFor()
    await window.close()
  })

  test('waits for a service that is down while the page is loaded, and begins by itself', async () => {
    await makeUser('starter')
    const window = await visit(browser)
    const { page } = window
    await logIn(window, 'starter', '/sources')
    await watchForLogin(page.context())
    await page.route(REFRESH, async (route) => {
      await route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ code: 'database_unavailable' }) })
    })
    await page.reload()
    await page.getByText('The database does not answer').waitFor()
    expect(await accessibilityFaults(window)).toEqual([])
    await page.unroute(REFRESH)
    await page.getByRole('button', { name: 'Account of starter' }).waitFor({ timeout: 15_000 })
    expect(await page.evaluate('window.sawLogin === true')).toBe(false)
    await window.close()
  })

  test('of a disabled account ends at the login, which says why', async () => {
    const id = await makeUser('leaver')
    const window = await visit(browser)
    await logIn(window, 'leaver', '/sources')
    await asUser('admin', async (call) => await call('PATCH', `/users/${id}`, { status: 'DISABLED' }))
    await window.page.getByRole('link', { name: 'IOCs' }).first().click()
    await window.page.getByText('This account was disabled').waitFor()
    expect(await accessibilityFaults(window)).toEqual([])
    await window.close()
  })

  test('whose key was copied and used ends for safety, and the login says so', async () => {
    await makeUser('copied')
    const window = await visit(browser)
    const { page } = window
    await logIn(window, 'copied', '/sources')
    const cookies = await page.context().cookies()
    await page.reload()
    await page.getByRole('button', { name: 'Account of copied' }).waitFor()
    // The cookie of before stands for a copy that somebody kept.
    await page.context().addCookies(cookies)
    await page.reload()
    await page.getByText('Your session was ended for safety').waitFor()
    expect(await refusedRenewals('copied')).toBe(1)
    await window.close()
  })
})

describe('the own account', () => {
  let window: Visit
  let page: Page
  beforeAll(async () => {
    await makeUser('owner')
    window = await visit(browser)
    page = window.page
    await logIn(window, 'owner', '/iocs')
  })
  afterAll(async () => await window.close())

  test('lists its sessions from the menu, and ends another one at once', async () => {
    const other = await visit(browser)
    await logIn(other, 'owner', '/sources')
    await page.getByRole('button', { name: 'Account of owner' }).click()
    await page.getByRole('link', { name: 'Sessions' }).click()
    const rows = page.getByRole('grid').getByRole('row')
    await expect.poll(async () => await rows.count(), PATIENTLY).toBe(3)
    const own = rows.filter({ hasText: 'This session' }).first()
    expect(await own.getByRole('button').getAttribute('aria-disabled')).toBe('true')
    expect(await accessibilityFaults(window)).toEqual([])
    await page
      .getByRole('button', { name: /^End the session/ })
      .and(page.locator(':not([aria-disabled])'))
      .click()
    await expect.poll(async () => await rows.count(), PATIENTLY).toBe(2)
    await other.page.getByRole('link', { name: 'IOCs' }).first().click()
    await other.page.getByText('Your session has ended').waitFor()
    await other.close()
  })

  test('changes its password: refusals stand at their fields, and the other sessions end', async () => {
    const other = await visit(browser)
    await logIn(other, 'owner', '/sources')
    await page.goto(`${url}/account/password`)
    const next = 'a lantern over seven hills'
    const fill = async (current: string, wanted: string, repeated: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password', { exact: true }).fill(wanted)
      await page.getByLabel('New password again').fill(repeated)
      await page.keyboard.press('Enter')
    }
    await fill(password, next, `${next}!`)
    await page.getByText('The two differ.').waitFor()
    await fill(password, 'passwordpassword', 'passwordpassword')
    await expect
      .poll(async () => await page.getByLabel('New password', { exact: true }).getAttribute('aria-invalid'), PATIENTLY)
      .toBe('true')
    await fill('not the right one', next, next)
    await expect.poll(async () => await page.getByLabel('Current password').getAttribute('aria-invalid'), PATIENTLY).toBe('true')
    expect(page.url()).toContain('/account/password')
    expect(await accessibilityFaults(window)).toEqual([])
    await fill(password, next, next)
    await page.getByText('Your password is changed').waitFor()
    await other.page.getByRole('link', { name: 'IOCs' }).first().click()
    await other.page.getByText('Your session has ended').waitFor()
    await other.close()
    await page.reload()
    await page.getByRole('button', { name: 'Account of owner' }).waitFor()
    expect(window.complaints).toEqual([])
  })
})

describe('the login', () => {
  test('says how long it is blocked after too many failures, counts down, and stays usable', async () => {
    const form = () => new URLSearchParams({ username: 'mallory', password: 'guess after guess' })
    for (let n = 0; n < 5; n++) await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body: form() })
    const window = await visit(browser, { theme: 'dark' })
    const { page } = window
    await page.goto(`${url}/login`)
    await page.getByLabel('User name').fill('mallory')
    await page.getByLabel('Password', { exact: true }).fill('guess after guess')
    await page.keyboard.press('Enter')
    await page.getByText('Too many failed logins').waitFor()
    const timer = page.getByRole('timer')
    const before = await timer.textContent()
    expect(before).toMatch(/^1[0-5] min [0-9]{2} s$/)
    await expect.poll(async () => await timer.textContent(), PATIENTLY).not.toBe(before)
    expect(await page.getByRole('button', { name: 'Log in' }).isEnabled()).toBe(true)
    expect(await accessibilityFaults(window)).toEqual([])
    // Another account is not held back.
    await page.getByLabel('User name').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.locator('#content').waitFor()
    await window.close()
  })

  test('says that the database is down, until it is back', async () => {
    const window = await visit(browser)
    const { page } = window
    await page.route('**/health', async (route) => {
      await route.fulfill({ json: { status: 'degraded', version: '1', environment: 'test', database: 'unreachable' } })
    })
    await page.goto(`${url}/login`)
    await page.getByText('The database does not answer').waitFor()
    expect(await accessibilityFaults(window)).toEqual([])
    await page.unroute('**/health')
    await page.route('**/health', async (route) => await route.abort('connectionrefused'))
    await page.getByText('The service does not answer').waitFor({ timeout: 30_000 })
    await page.unroute('**/health')
    await page.getByText('does not answer').waitFor({ state: 'hidden', timeout: 30_000 })
    await window.close()
  })

  test('notes that Caps Lock is on, and shows what is typed on demand', async () => {
    const window = await visit(browser)
    const { page } = window
    await page.goto(`${url}/login`)
    const box = page.getByLabel('Password', { exact: true })
    await box.focus()
    await box.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
    await page.getByText('Caps Lock is on').waitFor()
    await box.fill('visible')
    await page.getByRole('button', { name: 'Show password' }).click()
    expect(await box.getAttribute('type')).toBe('text')
    await window.close()
  })
})

test.each([
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 768 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
] as const)('the account is accessible and fits, $theme at $width px', async ({ theme, width }) => {
  const view = await visit(browser, { theme, width })
  await logIn(view, 'ana', '/account/sessions')
  await view.page.getByText('This session', { exact: true }).first().waitFor()
  expect(await accessibilityFaults(view)).toEqual([])
  expect(await scrollsSideways(view)).toBe(false)
  await view.page.goto(`${url}/account/password`)
  await view.page.getByLabel('Current password').waitFor()
  expect(await accessibilityFaults(view)).toEqual([])
  expect(await scrollsSideways(view)).toBe(false)
  expect(view.complaints).toEqual([])
  await view.close()
})
