import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type ApiCall, asUser, userOf } from './api.ts'
import { accessibilityFaults, focusByKeyboard, launch, logIn, scrollsSideways, visit } from './browser.ts'
import { startGate } from './gate.ts'

let browser: Browser
const feeds: string[] = []

/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 30_000 }
const STREAM = '**/api/v1/stream'
const { url, listUrl } = inject('product')

beforeAll(async () => {
  browser = await launch()
  await asUser('admin', async (call) => {
    for (const name of ['Moving', 'Quiet', 'Still']) feeds.push(await addFeed(call, name))
  })
})
afterAll(async () => {
  // Other files begin with a list of their own.
  await asUser('admin', async (call) => {
    for (const id of feeds) await call('DELETE', `/feeds/${id}`)
  })
  await browser.close()
})

async function addFeed(call: ApiCall, name: string): Promise<string> {
  const { body } = await call('POST', '/feeds', { name, url: `${listUrl}live.csv`, format: 'CSV', is_active: false })
  return String(body['id'])
}

/** Collects a feed and waits until it has ended, as somebody else would in another browser. */
async function collectElsewhere(id: string): Promise<void> {
  await asUser('admin', async (call) => {
    await call('POST', `/feeds/${id}/fetch`, {})
    await expect.poll(async () => (await call('GET', `/feeds/${id}`)).body['status'], PATIENTLY).toBe('HEALTHY')
  })
}

const rowOf = (page: Page, name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name })
const listed = (page: Page, name: string) => rowOf(page, name).locator('td[data-label=Listed]')
const pill = (page: Page, name: string | RegExp) => page.getByRole('banner').getByRole('button', { name })
const live = async (page: Page) => await pill(page, /^Live/).waitFor(PATIENTLY)

/** Counts the streams that the tabs of a window ask for. */
function countStreams(context: BrowserContext): { asked: number } {
  const seen = { asked: 0 }
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/stream')) seen.asked++
  })
  return seen
}

describe('what happens elsewhere', () => {
  test('shows in a browser that nobody touches, in its row, under a cursor and a scroll that stay where they are', async () => {
    const window = await visit(browser, { height: 260 })
    const { page } = window
    await page.clock.install()
    await logIn(window, 'vera', '/sources')
    await live(page)
    const row = rowOf(page, 'Moving')
    await listed(page, 'Moving').getByText('0', { exact: true }).waitFor()
    await rowOf(page, 'Quiet').focus()
    await page.evaluate('window.stays = true; window.scrollTo(0, 40)')
    expect(await page.evaluate('window.scrollY')).toBe(40)
    // From now on the page's clock stands still but for a few seconds, fewer than between two looks: what shows was told.
    await page.clock.pauseAt(Date.now() + 10_000)
    const [moving = ''] = feeds
    await collectElsewhere(moving)
    for (let looks = 0; looks < 120 && (await listed(page, 'Moving').textContent()) === '0'; looks++) {
      await page.clock.runFor(100)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(await listed(page, 'Moving').textContent()).toBe('2')
    expect(await row.getAttribute('data-fresh')).toBe('true')
    await page.clock.runFor(11_000)
    expect(await row.getAttribute('data-fresh')).toBeNull()
    await page.getByText('Moving has changed').waitFor({ state: 'attached' })
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Quiet')
    expect(await page.evaluate('[window.stays, window.scrollY]')).toEqual([true, 40])
    expect(window.complaints).toEqual([])
    await window.close()
  })

  test('leaves the order of the list alone until somebody sorts again', async () => {
    const window = await visit(browser)
    const { page } = window
    await logIn(window, 'vera', '/sources?sort=state')
    await live(page)
    const names = async () => await page.getByRole('grid').locator('tbody b').allTextContents()
    await page.getByRole('grid').getByText('Still').waitFor()
    const before = await names()
    const [, , still = ''] = feeds
    await asUser('admin', async (call) => {
      const { body } = await call('GET', `/feeds/${still}`)
      await call('PATCH', `/feeds/${still}`, { version: body['version'], is_active: true })
    })
    await page.getByRole('button', { name: /^Live/ }).click()
    await page.getByRole('button', { name: 'Sort again' }).waitFor(PATIENTLY)
    expect(await names()).toEqual(before)
    await page.mouse.move(0, 0)
    await rowOf(page, 'Quiet').focus()
    expect(await accessibilityFaults(window)).toEqual([])
    await page.getByRole('button', { name: 'Sort again' }).click()
    await expect.poll(names, PATIENTLY).not.toEqual(before)
    const after = await names()
    expect(after.indexOf('Still')).toBeLessThan(after.indexOf('Moving'))
    await window.close()
  })
})

describe('one stream', () => {
  test('serves every tab of a browser, more of them than an account may have streams, and passes on when its tab goes', async () => {
    await asUser('admin', async (call) => await userOf(call, 'streamer'))
    const window = await visit(browser)
    const streams = countStreams(window.page.context())
    await logIn(window, 'streamer', '/sources')
    await live(window.page)
    const tabs = [window.page]
    for (let n = 0; n < 6; n++) {
      const tab = await window.anotherTab()
      await tab.goto(`${url}/sources`)
      tabs.push(tab)
    }
    for (const tab of tabs) await live(tab)
    expect(streams.asked).toBe(1)
    await window.page.close()
    await expect.poll(() => streams.asked, PATIENTLY).toBe(2)
    const [, follower, last] = tabs
    if (follower === undefined || last === undefined) throw new Error('There are seven tabs.')
    await live(follower)
    const [, quiet = ''] = feeds
    await collectElsewhere(quiet)
    // The tab that leads hears it, and tells the others.
    for (const tab of [follower, last]) await listed(tab, 'Quiet').getByText('2', { exact: true }).waitFor(PATIENTLY)
    expect(streams.asked).toBe(2)
    await follower.context().close()
  })

  test('that is lost is said so, since when, and everything is read again once it is back', async () => {
    const gate = await startGate(url)
    const window = await visit(browser)
    const { page } = window
    await page.goto(`${gate.url}/sources`)
    await page.getByLabel('User name').fill('ana')
    await page.getByLabel('Password', { exact: true }).fill(inject('product').password)
    await page.keyboard.press('Enter')
    await live(page)
    await rowOf(page, 'Quiet').waitFor(PATIENTLY)
    gate.shut()
    await pill(page, /^Reconnecting/).waitFor(PATIENTLY)
    await pill(page, /^Offline since \d\d:\d\d UTC$/).waitFor({ timeout: 80_000 })
    await focusByKeyboard(page, pill(page, /^Offline/))
    await page.getByRole('tooltip').filter({ hasText: 'may be out of date' }).waitFor()
    gate.open()
    const readAgain = page.waitForResponse((answer) => answer.url().endsWith('/feeds/health') && answer.ok(), PATIENTLY)
    await pill(page, /^Offline|^Reconnecting/).click()
    await live(page)
    await readAgain
    await window.close()
    await gate.close()
  }, 180_000)

  test('that is lost leaves a frame around a screen that can no longer be loaded', async () => {
    const gate = await startGate(url)
    const window = await visit(browser)
    const { page } = window
    await page.goto(`${gate.url}/sources`)
    await page.getByLabel('User name').fill('ana')
    await page.getByLabel('Password', { exact: true }).fill(inject('product').password)
    await page.keyboard.press('Enter')
    await rowOf(page, 'Quiet').waitFor(PATIENTLY)
    await live(page)
    gate.shut()
    await page.getByRole('link', { name: 'Incidents' }).click()
    const fault = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
    await fault.waitFor(PATIENTLY)
    await pill(page, /^Offline|^Reconnecting/).waitFor(PATIENTLY)
    gate.open()
    await fault.getByRole('button', { name: 'Load again' }).click()
    await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor(PATIENTLY)
    await window.close()
    await gate.close()
  })

  test('that has missed something has the page read again, whatever else it says', async () => {
    const window = await visit(browser)
    const { page } = window
    const hostile = '{"feed_id":"<img src=x onerror=window.pwned=1>","__proto__":{"pwned":1},"at":"javascript:pwned"}'
    const words = ['feed.collected', 'resync', '<img src=x onerror=window.pwned=1>', '__proto__']
    await page.route(STREAM, async (route) => {
      await route.fulfill({
        contentType: 'text/event-stream',
        body: words.map((word) => `event: ${word}\ndata: ${hostile}\n\n`).join(''),
      })
    })
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/feeds/health')) asked++
    })
    await logIn(window, 'vera', '/sources')
    await expect.poll(() => asked, PATIENTLY).toBeGreaterThanOrEqual(2)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.locator('img').count()).toBe(0)
    expect(window.complaints).toEqual([])
    await window.close()
  })
})

test.each([
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 320 },
] as const)('a lost connection is accessible and fits, $theme at $width px', async ({ theme, width }) => {
  const view = await visit(browser, { theme, width })
  await view.page.route(STREAM, async (route) => await route.abort('connectionrefused'))
  await logIn(view, 'ana', '/iocs')
  await pill(view.page, /^Reconnecting|^Offline/).waitFor(PATIENTLY)
  expect(await accessibilityFaults(view)).toEqual([])
  expect(await scrollsSideways(view)).toBe(false)
  await view.close()
})
