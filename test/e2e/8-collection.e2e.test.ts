import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { asUser } from './api.ts'
import { accessibilityFaults, launch, logIn, scrollsSideways, type Visit, visit } from './browser.ts'

let browser: Browser
let window: Visit
let page: Page

/** The machine may be busy with other tests. */
const PATIENTLY = { timeout: 30_000 }
const { url, listUrl, taxiiUrl } = inject('product')
const HOSTILE = '<img src=x onerror=window.pwned=1>'

beforeAll(async () => {
  browser = await launch()
  window = await visit(browser)
  page = window.page
  await logIn(window, 'admin', '/sources')
})
afterAll(async () => {
  // Other files begin with a list of their own.
  await asUser('admin', async (call) => {
    const { body } = await call('GET', '/feeds?limit=200')
    const own = (body['items'] as { id: string; name: string }[]).filter(({ name }) => name.startsWith('Kind ') || name === HOSTILE)
    for (const { id } of own) await call('DELETE', `/feeds/${id}`)
  })
  await window.close()
  await browser.close()
})

const rowOf = (name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name })

async function openForm(address: string, name: string) {
  await page.goto(`${url}/sources?dialog=add`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').first().fill(address)
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  return dialog
}

describe('a source of each format', () => {
  test.each([
    { format: 'CSV', address: `${listUrl}live.csv`, has: 'Delimiter', hasNot: 'Path to the records', found: '2 rows would be read' },
    { format: 'JSON', address: `${listUrl}records.json`, has: 'Path to the records', hasNot: 'Delimiter', found: '2 rows would be read' },
    { format: 'STIX', address: `${listUrl}bundle.json`, has: 'Take observables too', hasNot: 'Value column', found: '1 row would be read' },
    { format: 'TAXII', address: taxiiUrl, has: 'Take observables too', hasNot: 'Value column', found: 'This is the first page' },
  ])('$format is guessed from the address, has its own boxes, is tested, saved, collected and edited', async (one) => {
    const dialog = await openForm(one.address, `Kind ${one.format}`)
    expect(await dialog.getByRole('combobox', { name: 'Format' }).inputValue()).toBe(one.format)
    await dialog.getByText('Reader, TLP and licence').click()
    await dialog.getByLabel(one.has).waitFor()
    expect(await dialog.getByLabel(one.hasNot, { exact: true }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await dialog.getByText(one.found).waitFor(PATIENTLY)
    expect(await accessibilityFaults(window)).toEqual([])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await rowOf(`Kind ${one.format}`).getByText('Healthy').waitFor(PATIENTLY)
    await rowOf(`Kind ${one.format}`).click()
    await page.getByRole('dialog').first().getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog').filter({ hasText: `Edit Kind ${one.format}` })
    expect(await edit.getByRole('combobox', { name: 'Format' }).inputValue()).toBe(one.format)
    await edit.getByRole('combobox', { name: 'Reliability' }).selectOption('B')
    await edit.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(`Kind ${one.format} is saved`).waitFor(PATIENTLY)
    expect(window.complaints).toEqual([])
  })

  test('PULSE may point at its provider only, and the refusal stands at the address', async () => {
    const dialog = await openForm(`${listUrl}api/v1/pulses/subscribed`, 'Kind PULSE')
    expect(await dialog.getByRole('combobox', { name: 'Format' }).inputValue()).toBe('PULSE')
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await dialog.getByText('may only point at').first().waitFor(PATIENTLY)
    expect(await dialog.getByLabel('URL').first().getAttribute('aria-invalid')).toBe('true')
  })

  test('that delivers news only shows no list of nothing', async () => {
    await page.goto(`${url}/sources`)
    await rowOf('Kind TAXII').getByText('news only').waitFor()
    await rowOf('Kind TAXII').click()
    const drawer = page.getByRole('dialog').first()
    await drawer.getByText('delivers news only').waitFor()
    await drawer.getByText('page by page').waitFor()
  })
})

describe('the story of a collection', () => {
  test('accounts for every row, with lines and reasons, and can be sent to the publisher as text', async () => {
    await page.goto(`${url}/sources`)
    await rowOf('Kind STIX').click()
    const drawer = page.getByRole('dialog').first()
    await drawer.getByText('4 rows to the end.').waitFor()
    await drawer.getByText('malware 1').waitFor()
    await drawer.getByText('2 rows, for the reasons below').waitFor()
    await drawer.getByText('STIX pattern that is not one').waitFor()
    await drawer.getByText('Marked with a higher TLP than this source may store').waitFor()
    await drawer.getByText('1 value is new').waitFor()
    expect(await accessibilityFaults(window)).toEqual([])
    await drawer.getByRole('button', { name: 'Copy as text' }).click()
    await page.getByText('Copied').first().waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toContain(`Kind STIX (STIX)\n${listUrl}bundle.json`)
    expect(copied).toMatch(/pattern_invalid\): 1/)
    expect(copied).toMatch(/line 1: \[<img src=x/)
  })

  test('shows what a publisher wrote as text, whatever it is', async () => {
    await asUser('admin', async (call) => {
      const { body } = await call('POST', '/feeds', {
        name: HOSTILE,
        url: `${listUrl}missing${encodeURIComponent(HOSTILE)}.csv`,
        format: 'CSV',
        is_active: false,
      })
      await call('POST', `/feeds/${body['id']}/fetch`, {})
      await expect.poll(async () => (await call('GET', `/feeds/${body['id']}`)).body['status'], PATIENTLY).toBe('DEGRADED')
    })
    await page.goto(`${url}/sources`)
    await rowOf(HOSTILE).click()
    const drawer = page.getByRole('dialog').first()
    await drawer.getByText('No list arrived that could be read').waitFor()
    await drawer.getByRole('heading', { name: HOSTILE }).waitFor()
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.locator('img').count()).toBe(0)
    expect(window.complaints).toEqual([])
  })

  test('an IOC says until when a source calls it valid, and how far it may be shared', async () => {
    await page.goto(`${url}/iocs?value=stix.example.org`)
    await page.getByRole('grid').getByText('stix.example.org').first().click()
    await page.getByText('Valid until').waitFor()
    await page.getByText('TLP:CLEAR').waitFor()
  })
})

describe('the quality of sources', () => {
  test('is a tab of Sources: shares as bars, each figure explained, who holds the same', async () => {
    await asUser('admin', async (call) => {
      await call('POST', '/warning-lists', {
        name: HOSTILE,
        type: 'hostname',
        version: 1,
        list: ['stix.example.org'],
        matching_attributes: ['hostname'],
      })
      await expect.poll(async () => (await call('POST', '/feeds/quality')).status, PATIENTLY).toBe(202)
      await expect
        .poll(async () => ((await call('GET', '/feeds/quality')).body['items'] as { name: string }[]).map(({ name }) => name), PATIENTLY)
        .toContain('Kind STIX')
    })
    await page.goto(`${url}/sources`)
    await page.getByRole('link', { name: 'Quality' }).click()
    await rowOf('Kind STIX').getByText('100%').first().waitFor(PATIENTLY)
    await page.getByText('what would be missed without it').waitFor()
    const matrix = page.getByRole('region', { name: 'Table of overlaps' })
    await matrix.getByRole('columnheader', { name: 'Kind CSV' }).waitFor()
    await matrix.getByRole('rowheader', { name: 'Kind JSON' }).waitFor()
    await page.getByRole('button', { name: 'Source', exact: false }).first().click()
    await page.waitForURL(/sort=name/)
    expect(await accessibilityFaults(window)).toEqual([])
  })

  test('opens to the warning lists that its values stand on, as does the value itself', async () => {
    await rowOf('Kind STIX').click()
    const drawer = page.getByRole('dialog').first()
    await drawer.getByText(HOSTILE).waitFor()
    await drawer.getByRole('link', { name: 'stix.example.org' }).click()
    await page.getByText('Stands on the warning list').waitFor()
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(window.complaints).toEqual([])
  })

  test('lets only an administrator work it out again', async () => {
    const viewer = await visit(browser)
    await logIn(viewer, 'vera', '/sources/quality')
    const button = viewer.page.getByRole('button', { name: 'Work out again' })
    await expect.poll(async () => await button.textContent(), PATIENTLY).toContain('Only ADMIN')
    await viewer.page.getByRole('grid').getByText('Kind STIX').waitFor()
    await viewer.close()
  })

  test.each([
    { theme: 'light', width: 1440 },
    { theme: 'dark', width: 1440 },
    { theme: 'light', width: 390 },
    { theme: 'dark', width: 390 },
  ] as const)('is accessible and fits, $theme at $width px', async ({ theme, width }) => {
    const view = await visit(browser, { theme, width })
    await logIn(view, 'ana', '/sources/quality')
    await view.page.getByText('Kind STIX').first().waitFor()
    expect(await accessibilityFaults(view)).toEqual([])
    expect(await scrollsSideways(view)).toBe(false)
    expect(view.complaints).toEqual([])
    await view.close()
  })
})

test('a deletion names examples of what a purge would take, and how much would stay', async () => {
  await page.goto(`${url}/sources`)
  await rowOf('Kind JSON').click()
  await page.getByRole('dialog').first().getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: 'Delete Kind JSON' })
  await dialog.getByText('Also remove the 2 values that no other source has reported').waitFor()
  await dialog.getByText('json.example.org').waitFor()
  await dialog.getByText('more.example.org').waitFor()
  expect(await accessibilityFaults(window)).toEqual([])
  await dialog.getByRole('checkbox').check()
  await dialog.getByLabel('Type Kind JSON to confirm').fill('Kind JSON')
  await page.keyboard.press('Enter')
  await page.getByText('Kind JSON is deleted, with 2 values').waitFor(PATIENTLY)
})
