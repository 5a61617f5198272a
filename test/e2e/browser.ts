import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { inject } from 'vitest'

/** Debian's browser. Without the background flags it talks to hosts that a closed machine refuses, many times a second. */
const EXECUTABLE = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--disable-lcd-text',
]

export type Theme = 'light' | 'dark'
export type Visit = {
  page: Page
  /** Another tab of the same window, which shares its cookies. */
  anotherTab(): Promise<Page>
  /** Violations of the content security policy and page errors so far. */
  complaints: string[]
  /** Clicks and key chords since the last reset, counted by the page itself. */
  actions(): number
  /** One key chord, such as `Control+Enter`, or keys that belong together, such as `g s`. */
  press(chord: string): Promise<void>
  /** One paste of text into what has the focus. */
  paste(text: string): Promise<void>
  click(name: string | RegExp): Promise<void>
  resetActions(): void
  close(): Promise<void>
}

export async function launch(): Promise<Browser> {
  return await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS })
}

/** A browser window of its own, with an eye on complaints. */
export async function visit(browser: Browser, options: { theme?: Theme; width?: number; height?: number } = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1366, height: options.height ?? 860 },
    colorScheme: options.theme ?? 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const complaints: string[] = []
  context.on('page', (opened) => {
    opened.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
    })
    opened.on('pageerror', (error) => complaints.push(error.message))
  })
  const page = await context.newPage()
  let actions = 0
  return {
    page,
    anotherTab: async () => await context.newPage(),
    complaints,
    actions: () => actions,
    resetActions: () => {
      actions = 0
    },
    async press(chord) {
      actions++
      for (const key of chord.split(' ')) await page.keyboard.press(key)
    },
    async paste(text) {
      actions++
      // As text: these files are checked without the browser's types.
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await page.keyboard.press('ControlOrMeta+v')
    },
    async click(name) {
      actions++
      await page.getByRole('button', { name }).first().click()
    },
    async close() {
      await context.close()
    },
  }
}

/** Logs in by the form and waits for the first screen, and until it knows who is there: until then it lets nobody go anywhere. */
export async function logIn({ page }: Visit, username: string, path = '/', password = inject('product').password): Promise<void> {
  await page.goto(inject('product').url + path)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.locator('#content').waitFor()
  await page.getByRole('button', { name: `Account of ${username}` }).waitFor()
}

/** Every accessibility fault that axe finds on the page as it stands. */
export async function accessibilityFaults({ page }: Visit): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // A tooltip is reached through the control that it describes, never by landmarks.
    .exclude('[role=tooltip]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

/** Whether the page scrolls sideways, which it must not at any width. */
export async function scrollsSideways({ page }: Visit): Promise<boolean> {
  return await page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')
}

export type ClosedControl = { name: string; description: string }

/** Every control that cannot be used now, as assistive technology is told of it. */
export async function closedControls({ page }: Visit): Promise<ClosedControl[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(({ ignored, properties = [] }) => !ignored && properties.some(({ name, value }) => name === 'disabled' && value.value === true))
    .map(({ name, description }) => ({ name: String(name?.value ?? ''), description: String(description?.value ?? '') }))
}

/** Points at each closed control with the mouse, and goes to each with the keyboard. @returns those that did not say why both times */
export async function silentControls({ page }: Visit): Promise<string[]> {
  const silent: string[] = []
  const dialog = page.getByRole('dialog')
  // What lies behind an open dialog is out of reach for both.
  const place = (await dialog.count()) > 0 ? dialog.last() : page.locator('body')
  for (const control of await place.locator('[aria-disabled=true]:visible').all()) {
    const reason = await describedBy(page, control)
    const name = `${(await control.getAttribute('aria-label')) ?? (await control.textContent()) ?? ''}`
    // A row that is not under the cursor is reached with the arrows; its controls leave the tab order until then.
    await control.scrollIntoViewIfNeeded()
    await control.hover({ force: true })
    if (reason === '' || !(await saysSoon(page, reason))) silent.push(`${name}: mouse`)
    await page.mouse.move(0, 0)
    await tooltipOf(page, reason).waitFor({ state: 'hidden' })
    await focusByKeyboard(page, control)
    if (!(await saysSoon(page, reason))) silent.push(`${name}: keyboard`)
    await control.blur()
    await tooltipOf(page, reason).waitFor({ state: 'hidden' })
  }
  return silent
}

/** Browsers tell a focus that came by keyboard from one that came by mouse, and only the first is made visible. */
export async function focusByKeyboard(page: Page, control: Locator): Promise<void> {
  await control.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
}

async function describedBy(page: Page, control: Locator): Promise<string> {
  const [id = ''] = ((await control.getAttribute('aria-describedby')) ?? '').split(' ')
  return id === '' ? '' : ((await page.locator(`[id="${id}"]`).textContent()) ?? '').trim()
}

async function saysSoon(page: Page, reason: string): Promise<boolean> {
  return await tooltipOf(page, reason)
    .waitFor({ timeout: 3000 })
    .then(
      () => true,
      () => false,
    )
}

function tooltipOf(page: Page, reason: string): Locator {
  return page.getByRole('tooltip').filter({ hasText: reason }).first()
}
