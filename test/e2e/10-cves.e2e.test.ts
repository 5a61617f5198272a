import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { HOSTILE_TEXTS } from '../support/hostile-text.ts'
import { HOSTILE_CVE, KEV_CVE, PLAIN_CVE } from '../support/nvd-file.ts'
import { asUser } from './api.ts'
import { accessibilityFaults, launch, logIn, scrollsSideways, silentControls, type Visit, visit } from './browser.ts'

// What is to be fixed first and why: the list, one CVE with its sum, and the queue of alerts.

/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 30_000 }
const { url, databaseUrl } = inject('product')

let browser: Browser
let window: Visit
let page: Page
const dialogs: string[] = []

beforeAll(async () => {
  browser = await launch()
  window = await visit(browser, { width: 1440, height: 900 })
  page = window.page
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await logIn(window, 'ana', '/cves')
})
afterAll(async () => {
  await inDatabase('delete from alerts')
  await window.close()
  await browser.close()
})

async function inDatabase(text: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(text, [...values])
  await client.end()
}

/** An alert as a crossing raises it; no event tells of it. @returns its id */
async function raise(cveId: string, priority: string, hoursAgo: number): Promise<string> {
  const id = randomUUID().replace(/^(.{14})./, '$17')
  await inDatabase(
    `insert into alerts (id, cve_id, generation, priority, score, title, created_at, notification)
     values ($1, $2, (select count(*) + 1 from alerts), $3, 85, $4, now() - $5 * interval '1 hour', 'NONE')`,
    [id, cveId, priority, `Something about ${cveId}`, hoursAgo],
  )
  return id
}

const row = (name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name })

/** Nothing of the texts has become an element, an address or an act. */
async function expectInert(): Promise<void> {
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  const foreign = ':is(main, [role=dialog]) :is(script, img, iframe, object, embed, video, base, meta, link, style, math)'
  expect(await page.locator(foreign).count()).toBe(0)
  expect(await page.locator('[href^="javascript:" i], [src^="javascript:" i], [href^="data:" i]').count()).toBe(0)
  expect(await page.locator('[onerror], [onload], [onfocus], [ontoggle], [onmouseover]').count()).toBe(0)
  expect(dialogs).toEqual([])
  expect(window.complaints).toEqual([])
}

test('the list is narrowed by filters that stand in the address, and opens with the keyboard', async () => {
  await row(KEV_CVE).waitFor(PATIENTLY)
  await page.getByRole('link', { name: 'Known exploited' }).click()
  await page.waitForURL(/kev=yes/)
  await row(PLAIN_CVE).waitFor({ state: 'detached', ...PATIENTLY })
  expect(await page.getByRole('link', { name: 'Known exploited' }).getAttribute('aria-current')).toBe('page')
  expect(await page.getByRole('link', { name: 'All', exact: true }).getAttribute('aria-current')).toBeNull()
  await page.getByLabel('Identifier or text').fill('gateway')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=gateway/)
  await row(HOSTILE_CVE).waitFor({ state: 'detached', ...PATIENTLY })
  await row(KEV_CVE).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('Does this affect me?').waitFor(PATIENTLY)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url(), PATIENTLY).not.toContain('open=')
  await page.goto(`${url}/cves?q=nothing-of-this-kind`)
  await page.getByText('No CVE matches these filters').waitFor(PATIENTLY)
})

test('further filters and an order of several columns stand in the address', async () => {
  await page.goto(`${url}/cves`)
  await row(PLAIN_CVE).waitFor(PATIENTLY)
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Product', { exact: true }).fill('gateway')
  await page.keyboard.press('Enter')
  await row(PLAIN_CVE).waitFor({ state: 'detached', ...PATIENTLY })
  await page.getByLabel('CVSS', { exact: true }).selectOption('9')
  await page.waitForURL(/product=gateway&cvss=9/)
  await page.keyboard.press('Escape')
  await row(KEV_CVE).waitFor(PATIENTLY)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await row(PLAIN_CVE).waitFor(PATIENTLY)
  await page.getByRole('button', { name: 'CVSS', exact: true }).click()
  await page.getByRole('button', { name: 'CVE', exact: true }).click({ modifiers: ['Shift'] })
  await page.waitForURL(/sort=-cvss,-id/)
  await page.getByRole('button', { name: /^CVSS, highest first/ }).click()
  await page.waitForURL(/sort=cvss,-id/)
  await expect.poll(async () => await page.getByRole('grid').getByRole('row').nth(1).textContent(), PATIENTLY).toContain(PLAIN_CVE)
  await page.getByRole('button', { name: 'Do not sort by CVE' }).click()
  await page.waitForURL(/sort=cvss$/)
})

test('a search that has found nothing yet leads on to what stands behind', async () => {
  const first = /\/api\/v1\/cves\?(?!.*cursor=)/
  // A base of thousands would say so by itself.
  await page.route(first, async (route) => {
    const next = Buffer.from('["-score,-id",100,"CVE-2999-0001"]').toString('base64url')
    await route.fulfill({ json: { items: [], total: 0, total_exact: false, next } })
  })
  await page.goto(`${url}/cves?q=cve`)
  const on = page.getByRole('button', { name: 'Look at the next ones' })
  await on.waitFor(PATIENTLY)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await scrollsSideways(window)).toBe(false)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await on.click()
  await page.waitForURL(/cursor=/)
  await on.waitFor({ state: 'detached' })
  await page.unroute(first)
})

test('one CVE shows its sum with the floor, its catalogue entry, its references and whom it hits', async () => {
  await page.goto(`${url}/cves/${KEV_CVE}`)
  await page.getByText('Apply the update of Example.').first().waitFor(PATIENTLY)
  await page.getByText('given by nvd@nist.gov').waitFor()
  await page.getByText('Without EPSS a score ends at 75').waitFor()
  await page.getByText('It came into the catalogue of exploited vulnerabilities').waitFor()
  await page.getByText('< 2.4.1').waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'https://example.org/' }).first().textContent()).toContain('Exploit')
  await page.getByLabel('Product', { exact: true }).fill('gateway')
  await page.getByLabel('Version', { exact: true }).fill('2.4.0')
  await page.keyboard.press('Enter')
  await page.getByText('Affected', { exact: true }).waitFor(PATIENTLY)
  await page.getByLabel('Version', { exact: true }).fill('2.4.1')
  await page.getByRole('button', { name: 'Find out' }).click()
  await page.getByText('Not affected', { exact: true }).waitFor(PATIENTLY)
})

test('descriptions, references, products and catalogue entries are text', async () => {
  await page.goto(`${url}/cves?open=${HOSTILE_CVE}`)
  await page.getByRole('dialog').getByText('Does this affect me?').waitFor(PATIENTLY)
  await expectInert()
  await page.goto(`${url}/cves/${HOSTILE_CVE}`)
  await page.getByText('Does this affect me?').waitFor(PATIENTLY)
  const more = page.getByRole('button', { name: /^Show all/ })
  while ((await more.count()) > 0) await more.first().click()
  await page
    .getByText(HOSTILE_TEXTS[1] ?? '')
    .first()
    .waitFor(PATIENTLY)
  expect(await page.getByRole('link', { name: 'https://example.org' }).count()).toBe(HOSTILE_TEXTS.length)
  await expectInert()
  for (const text of HOSTILE_TEXTS.slice(0, 3)) {
    await page.getByLabel('Product', { exact: true }).fill(text)
    await page.getByRole('button', { name: 'Find out' }).click()
    await page.getByText('Decided by').waitFor(PATIENTLY)
    await expectInert()
  }
})

test('four keys lead from anywhere to an alert, explain it and acknowledge it; a fifth takes that back', async () => {
  const first = await raise(KEV_CVE, 'P0', 5)
  await raise(PLAIN_CVE, 'P1', 9)
  await page.goto(`${url}/cves`)
  await row(KEV_CVE).waitFor(PATIENTLY)
  window.resetActions()
  await window.press('g')
  await window.press('t')
  const pane = page.getByRole('region', { name: 'The alert' })
  await pane.getByText('Apply the update of Example.').first().waitFor(PATIENTLY)
  await window.press('j')
  await expect.poll(async () => await page.evaluate('document.activeElement?.dataset.rowId'), PATIENTLY).toBe(first)
  await window.press('a')
  await page.getByText(`${KEV_CVE} acknowledged`).waitFor(PATIENTLY)
  expect(window.actions()).toBe(4)
  await row(KEV_CVE).waitFor({ state: 'detached', ...PATIENTLY })
  await pane.getByRole('heading', { name: PLAIN_CVE }).waitFor(PATIENTLY)
  await window.press('u')
  await row(KEV_CVE).waitFor(PATIENTLY)
  await asUser('ana', async (call) => expect((await call('GET', `/alerts/${first}`)).body['state']).toBe('OPEN'))
})

test('the queue is narrowed to what is exploited, and to what has waited', async () => {
  await page.getByLabel('Known exploited').selectOption('Not known exploited')
  await row(KEV_CVE).waitFor({ state: 'detached', ...PATIENTLY })
  await row(PLAIN_CVE).waitFor(PATIENTLY)
  await page.getByLabel('Waiting').selectOption('30 days or longer')
  await page.getByText('No alert matches these filters').waitFor(PATIENTLY)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ kev: 'no', age: 'month' })
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await row(KEV_CVE).waitFor(PATIENTLY)
})

test('all that are selected are acknowledged at once, and going elsewhere tells the server', async () => {
  await page.getByLabel('Select all rows').check()
  await page.getByRole('button', { name: /^Acknowledge 2/ }).click()
  await page.getByText('2 alerts acknowledged').waitFor(PATIENTLY)
  await page.getByText('No open alert').waitFor(PATIENTLY)
  await page.getByRole('link', { name: 'CVEs', exact: true }).click()
  await asUser('ana', async (call) => {
    await expect.poll(async () => (await call('GET', '/alerts?state=OPEN')).body['total'], PATIENTLY).toBe(0)
  })
})

test('what others do appears in place, and the cursor stays on its alert', async () => {
  const urgent = await raise(KEV_CVE, 'P1', 1)
  const other = await raise(PLAIN_CVE, 'P3', 1)
  await page.goto(`${url}/triage`)
  await row(PLAIN_CVE).focus()
  await page.getByRole('region', { name: 'The alert' }).getByRole('heading', { name: PLAIN_CVE }).waitFor(PATIENTLY)
  await raise(HOSTILE_CVE, 'P0', 1)
  await asUser('vera', async (call) => expect((await call('POST', `/alerts/${urgent}/ack`)).status).toBe(403))
  await asUser('admin', async (call) => expect((await call('POST', `/alerts/${urgent}/ack`)).status).toBe(200))
  await row(KEV_CVE).waitFor({ state: 'detached', ...PATIENTLY })
  await row(HOSTILE_CVE).waitFor(PATIENTLY)
  expect(await page.evaluate('document.activeElement?.dataset.rowId')).toBe(other)
})

test.each(['light', 'dark'] as const)('no page has a fault that axe finds or scrolls sideways, in the %s theme', async (theme) => {
  for (const width of [1440, 390]) {
    const other = await visit(browser, { theme, width, height: 900 })
    await logIn(other, 'vera', '/cves')
    for (const [path, sign] of [
      ['/cves', KEV_CVE],
      [`/cves?open=${KEV_CVE}`, 'Does this affect me?'],
      [`/cves/${KEV_CVE}`, 'Does this affect me?'],
      ['/triage', PLAIN_CVE],
    ] as const) {
      await other.page.goto(url + path)
      await other.page.getByText(sign).filter({ visible: true }).first().waitFor(PATIENTLY)
      expect(await accessibilityFaults(other), `${path} at ${width}`).toEqual([])
      expect(await scrollsSideways(other), `${path} at ${width}`).toBe(false)
    }
    if (width === 1440) expect(await silentControls(other)).toEqual([])
    expect(other.complaints).toEqual([])
    await other.close()
  }
})
