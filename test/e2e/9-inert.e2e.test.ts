import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { HOSTILE_TEXTS } from '../support/hostile-text.ts'
import { asUser } from './api.ts'
import { launch, logIn, type Visit, visit } from './browser.ts'

// What publishers, analysts and administrators write is shown as it stands, and never becomes a part of the page.

let browser: Browser
let window: Visit
let page: Page
const feeds: string[] = []
const dialogs: string[] = []
let valueId: string

/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 30_000 }
const { url, listUrl } = inject('product')

beforeAll(async () => {
  browser = await launch()
  window = await visit(browser)
  page = window.page
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await asUser('admin', async (call) => {
    for (const name of HOSTILE_TEXTS) {
      const feed = {
        name,
        url: `${listUrl}hostile.csv`,
        format: 'CSV',
        is_active: false,
        feed_type: name.slice(0, 40),
        licence: name,
        homepage: null,
      }
      feeds.push(String((await call('POST', '/feeds', feed)).body['id']))
    }
    await call('POST', `/feeds/${feeds[0]}/fetch`, {})
    const indicators = HOSTILE_TEXTS.map((text, n) => ({
      value: `text-${n}.inert.example.org`,
      description: text,
      tags: [text.slice(0, 60)],
    }))
    await call('POST', '/indicators', { indicators })
    const { body } = await call('GET', '/indicators?value=text-1.inert.example.org')
    valueId = (body['items'] as { id: string }[])[0]?.id ?? ''
  })
  await logIn(window, 'admin', '/sources')
})
afterAll(async () => {
  // Other files begin with a list of their own.
  await asUser('admin', async (call) => {
    for (const id of feeds) await call('DELETE', `/feeds/${id}`)
  })
  await window.close()
  await browser.close()
})

const shown = async (text: string) => await page.getByText(text).filter({ visible: true }).first().waitFor(PATIENTLY)

/** Nothing of the texts has become an element, an address or an act. */
async function expectInert(): Promise<void> {
  expect(await page.evaluate('window.pwned')).toBeUndefined()
  const foreign =
    'main :is(script, img, iframe, object, embed, video, base, meta, link, style, math), [role=dialog] :is(script, img, iframe, object, embed)'
  expect(await page.locator(foreign).count()).toBe(0)
  expect(await page.locator('[href^="javascript:" i], [src^="javascript:" i], [action^="javascript:" i], [href^="data:" i]').count()).toBe(
    0,
  )
  expect(await page.locator('[onerror], [onload], [onfocus], [ontoggle], [onmouseover]').count()).toBe(0)
  expect(dialogs).toEqual([])
  expect(window.complaints).toEqual([])
}

test('names, types and licences of sources are text, in the list and in the drawer', async () => {
  for (const text of HOSTILE_TEXTS) await page.getByRole('grid').getByText(text, { exact: true }).first().waitFor(PATIENTLY)
  await expectInert()
  await page.goto(`${url}/sources?open=${feeds[1]}`)
  await page.getByRole('dialog').first().getByText('Facts').waitFor()
  await expectInert()
  await page.goto(`${url}/sources?open=${feeds[0]}&dialog=edit`)
  await page.getByRole('dialog').last().getByLabel('URL').first().waitFor()
  await expectInert()
  await page.goto(`${url}/sources?open=${feeds[0]}&dialog=delete`)
  await page.getByText('to confirm').waitFor()
  await expectInert()
})

test('refused rows and their reasons are text in the story of a collection', async () => {
  await page.goto(`${url}/sources?open=${feeds[0]}`)
  const drawer = page.getByRole('dialog').first()
  await drawer.getByText('rows, for the reasons below').waitFor(PATIENTLY)
  for (const text of HOSTILE_TEXTS.slice(0, 3)) await drawer.getByText(text).first().waitFor()
  await expectInert()
})

test('the quality report shows names as text', async () => {
  await asUser('admin', async (call) => {
    await expect.poll(async () => (await call('POST', '/feeds/quality')).status, PATIENTLY).toBe(202)
    await expect.poll(async () => (await call('GET', '/feeds/quality')).body['computing'], PATIENTLY).toBe(false)
  })
  await page.goto(`${url}/sources/quality`)
  await page
    .getByRole('grid')
    .getByText(HOSTILE_TEXTS[0] ?? '')
    .first()
    .waitFor(PATIENTLY)
  await expectInert()
})

test('tags and descriptions of an IOC are text, in the list, in the drawer and on its page', async () => {
  await page.goto(`${url}/iocs?open=${valueId}`)
  await shown(HOSTILE_TEXTS[1] ?? '')
  await expectInert()
  await page.goto(`${url}/iocs/${valueId}`)
  await shown(HOSTILE_TEXTS[1] ?? '')
  await expectInert()
})

test('the journal shows what was named as text', async () => {
  await page.goto(`${url}/administration/audit?action=feed.`)
  await page.getByRole('grid').getByText('feed.created').first().click()
  await page.getByRole('button', { name: 'Everything of this request' }).waitFor()
  await expectInert()
})
