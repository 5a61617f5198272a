import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { HOSTILE_TEXTS } from '../support/hostile-text.ts'
import { KEV_CVE, PLAIN_CVE } from '../support/nvd-file.ts'
import { type ApiCall, asUser } from './api.ts'
import { accessibilityFaults, launch, logIn, scrollsSideways, silentControls, type Visit, visit } from './browser.ts'

// What is being done about it: from an alert to an incident, two people on one, and a record that shows everything as text.

/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 30_000 }
const { url, databaseUrl } = inject('product')
const IOC = 'accounting.incident.example.org'

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
  await asUser('ana', async (call) => await call('POST', '/indicators', { indicators: [{ value: IOC, severity: 'HIGH' }] }))
  await logIn(window, 'ana', '/cves')
})
afterAll(async () => {
  await inDatabase('delete from incident_alerts; delete from alerts')
  await window.close()
  await browser.close()
})

async function inDatabase(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** An alert as a crossing raises it; no event tells of it. @returns its id */
async function raise(cveId: string): Promise<string> {
  const id = randomUUID().replace(/^(.{14})./, '$17')
  await inDatabase(
    `insert into alerts (id, cve_id, generation, priority, score, title, created_at, notification)
     values ('${id}', '${cveId}', (select count(*) + 1 from alerts), 'P0', 85, 'Something urgent', now(), 'NONE')`,
  )
  return id
}

async function open(body: object): Promise<string> {
  return await asUser('ana', async (call) => String((await call('POST', '/incidents', { title: 'Beacon', ...body })).body['id']))
}
/** Does something as another person, and waits until it is done. */
async function asAdmin(act: (call: ApiCall) => Promise<{ status: number }>): Promise<void> {
  await asUser('admin', async (call) => expect((await act(call)).status).toBe(200))
}
const entries = () => page.getByRole('main').locator('ol').last().getByRole('listitem')

test('four keys lead from anywhere to an incident about the most urgent alert', async () => {
  const alert = await raise(KEV_CVE)
  await page.goto(`${url}/cves`)
  await page.getByRole('grid').getByRole('row').filter({ hasText: KEV_CVE }).waitFor(PATIENTLY)
  window.resetActions()
  await window.press('g')
  await window.press('t')
  await page.getByRole('region', { name: 'The alert' }).getByRole('heading', { name: KEV_CVE }).waitFor(PATIENTLY)
  await window.press('i')
  await page.getByRole('dialog').getByLabel('Title').waitFor(PATIENTLY)
  expect(await page.getByLabel('Severity').inputValue()).toBe('CRITICAL')
  await window.press('Enter')
  await page.getByRole('heading', { name: `${KEV_CVE}: Something urgent` }).waitFor(PATIENTLY)
  expect(window.actions()).toBe(4)
  await page.getByText('opened the incident').waitFor(PATIENTLY)
  await asUser('ana', async (call) => expect((await call('GET', `/alerts/${alert}`)).body['state']).toBe('ACKNOWLEDGED'))
})

test('the CVE shows the incident, and a second one about it is not opened unseen', async () => {
  await page.goto(`${url}/cves/${KEV_CVE}`)
  await page.getByRole('link', { name: `${KEV_CVE}: Something urgent` }).waitFor(PATIENTLY)
  await page.keyboard.press('i')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('An incident is about this already').waitFor(PATIENTLY)
  await dialog.getByRole('button', { name: 'Add to this one' }).click()
  await page.getByRole('heading', { name: `${KEV_CVE}: Something urgent` }).waitFor(PATIENTLY)
})

test('an incident is opened from an IOC, takes more by pasting, goes through its steps, and is closed with a summary', async () => {
  await page.goto(`${url}/iocs?value=${IOC}`)
  await page.getByRole('row').filter({ hasText: IOC }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Open incident/ })
    .click()
  await page.getByLabel('Title').fill('Beacon in accounting')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Beacon in accounting' }).waitFor(PATIENTLY)
  await page.getByLabel('Add CVEs and IOCs').fill(`${PLAIN_CVE} not-stored.example.org`)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Not stored: not-stored.example.org').waitFor(PATIENTLY)
  await page.getByLabel('Add CVEs and IOCs').fill(PLAIN_CVE.toLowerCase())
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(`added ${PLAIN_CVE}`).waitFor(PATIENTLY)
  await page.getByRole('button', { name: 'Move to Analysis' }).click()
  await page.getByText('moved it from open to analysis').waitFor(PATIENTLY)
  await page.keyboard.press('m')
  await page.keyboard.type('Two hosts answer.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Two hosts answer.', { exact: true }).and(page.locator('p')).waitFor(PATIENTLY)
  await page.getByText('Action done').click()
  await page.getByLabel('Write into the timeline').fill('Blocked it at the proxy.')
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.getByText('declared an action (not run by the service)').waitFor(PATIENTLY)
  await page.getByRole('button', { name: 'Close incident' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Resolution').selectOption('TRUE_POSITIVE_IMPACT')
  await dialog.getByLabel('Summary').fill('Cleaned both.')
  await dialog.getByRole('button', { name: 'Close the incident' }).click()
  await page.getByText('closed it from analysis: true positive, with impact').waitFor(PATIENTLY)
  expect(await page.getByRole('button', { name: /^Send/ }).getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: 'Open again' }).click()
  await page.getByRole('dialog').getByLabel('Why it is opened again').fill('It came back today.')
  await page.keyboard.press('Tab')
  await page.getByRole('dialog').getByRole('button', { name: 'Open again' }).click()
  await page.getByText('opened it again, in analysis').waitFor(PATIENTLY)
})

test('two people on one incident: each sees what the other does, and a late save explains itself and keeps what was written', async () => {
  const id = await open({ title: 'Shared work' })
  await page.goto(`${url}/incidents/${id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Shared work, renamed')
  await asAdmin(async (call) => await call('POST', `/incidents/${id}/transition`, { to: 'ANALYSIS' }))
  // Behind the dialog the page has been read again, and the draft stands.
  await page.getByText('admin changed the incident').waitFor(PATIENTLY)
  expect(await page.getByRole('dialog').getByLabel('Title').inputValue()).toBe('Shared work, renamed')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert', { name: 'Somebody was quicker' })
  await notice.getByText('moved it from open to analysis').waitFor(PATIENTLY)
  expect(await page.getByRole('dialog').getByLabel('Title').inputValue()).toBe('Shared work, renamed')
  await page.getByRole('button', { name: 'Save on top of it' }).click()
  await page.getByRole('heading', { name: 'Shared work, renamed' }).waitFor(PATIENTLY)
  await asAdmin(async (call) => await call('POST', `/incidents/${id}/escalate`, { reason: 'Beyond what this level may do.' }))
  await page.getByText('escalated it from L1 to L2').waitFor(PATIENTLY)
  await page.goto(`${url}/incidents?level=L2,L3`)
  await page.getByRole('row').filter({ hasText: 'Shared work, renamed' }).waitFor(PATIENTLY)
  await page.getByLabel('Select all rows').check()
  await page.getByRole('button', { name: 'Assign to me' }).click()
  await page.getByText(/^\d+ assigned/).waitFor(PATIENTLY)
})

test('the board shows the same incidents by step, and is walked with the arrows', async () => {
  await open({ title: 'First on the board', severity: 'LOW' })
  const moved = await open({ title: 'Second on the board', severity: 'LOW' })
  await asAdmin(async (call) => await call('POST', `/incidents/${moved}/transition`, { to: 'ANALYSIS' }))
  await page.goto(`${url}/incidents?severity=LOW`)
  await page.getByRole('navigation', { name: 'Shown as' }).getByRole('link', { name: 'Board' }).click()
  expect(page.url()).toContain('/incidents?severity=LOW&layout=board')
  const card = (column: string, title: string) => page.getByRole('region', { name: column }).getByRole('link', { name: title })
  await card('Analysis', 'Second on the board').waitFor(PATIENTLY)
  await card('Open', 'First on the board').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Second on the board' }).waitFor(PATIENTLY)
})

test('titles, descriptions, comments, declared actions, reasons and summaries are text', async () => {
  const [title = '', ...others] = HOSTILE_TEXTS.map((text) => text.slice(0, 200))
  const id = await open({ title, description: HOSTILE_TEXTS.join('\n') })
  await asUser('ana', async (call) => {
    for (const text of others) await call('POST', `/incidents/${id}/comments`, { comment: text })
    await call('POST', `/incidents/${id}/actions`, { action: title })
    await call('POST', `/incidents/${id}/escalate`, { reason: `${title} and more of it` })
    await call('POST', `/incidents/${id}/transition`, { to: 'CLOSED', summary: title, resolution: 'FALSE_POSITIVE' })
  })
  for (const path of ['/incidents?state=all', '/incidents?state=all&layout=board', `/incidents/${id}`, `/incidents/${id}/report`]) {
    await page.goto(url + path)
    await page.getByText(title).first().waitFor(PATIENTLY)
    if (path.includes(id)) await expect.poll(async () => await entries().count(), PATIENTLY).toBe(HOSTILE_TEXTS.length + 3)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    const foreign = 'main :is(script, img, iframe, object, embed, video, base, meta, link, style, math)'
    expect(await page.locator(foreign).count(), path).toBe(0)
    expect(await page.locator('[href^="javascript:" i], [src^="javascript:" i], [href^="data:" i]').count()).toBe(0)
    expect(dialogs).toEqual([])
    expect(window.complaints).toEqual([])
  }
})

test('the printed report is dark on light, without what is of no use on paper', async () => {
  const id = await open({ title: 'On paper' })
  const other = await visit(browser, { theme: 'dark' })
  await logIn(other, 'vera', `/incidents/${id}/report`)
  await other.page.getByText('opened the incident').waitFor(PATIENTLY)
  const ground = async () => await other.page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const seen = async () =>
    await Promise.all(['Print', 'Download as Markdown', '(now)'].map(async (text) => await other.page.getByText(text).first().isVisible()))
  expect([await ground(), ...(await seen())]).toEqual(['rgb(20, 23, 28)', true, true, true])
  await other.page.emulateMedia({ media: 'print' })
  expect([await ground(), ...(await seen())]).toEqual(['rgb(255, 255, 255)', false, false, false])
  await other.page.getByText('as read on').waitFor(PATIENTLY)
  await other.close()
})

test.each(['light', 'dark'] as const)('no page has a fault that axe finds or scrolls sideways, in the %s theme', async (theme) => {
  const id = await open({ title: 'Looked at', severity: 'HIGH', cve_ids: [KEV_CVE], description: 'What is known of it.' })
  for (const width of [1440, 390]) {
    const other = await visit(browser, { theme, width, height: 900 })
    await logIn(other, 'vera', '/cves')
    for (const [path, sign] of [
      ...(theme === 'light'
        ? // The board has no more to it than the list, but what is too wide for a narrow screen.
          ([[width === 390 ? '/incidents?layout=board' : '/incidents', 'Looked at']] as const)
        : []),
      // In dark, the parts of this page stand for those of the others.
      [`/incidents/${id}`, 'opened the incident'],
      ...(theme === 'light' ? ([[`/incidents/${id}/report`, 'opened the incident']] as const) : []),
    ] as const) {
      await other.page.goto(url + path)
      await other.page.getByText(sign).filter({ visible: true }).first().waitFor(PATIENTLY)
      expect(await accessibilityFaults(other), `${path} at ${width}`).toEqual([])
      expect(await scrollsSideways(other), `${path} at ${width}`).toBe(false)
      if (width === 1440 && theme === 'light') expect(await silentControls(other), path).toEqual([])
    }
    expect(other.complaints).toEqual([])
    await other.close()
  }
})
