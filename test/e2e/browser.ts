import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
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
  /** Violations of the content security policy and page errors so far. */
  complaints: string[]
  /** Clicks and key chords since the last reset, counted by the page itself. */
  actions(): number
  /** One key chord. */
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
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  let actions = 0
  return {
    page,
    complaints,
    actions: () => actions,
    resetActions: () => {
      actions = 0
    },
    async press(chord) {
      actions++
      await page.keyboard.press(chord)
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

/** Logs in by the form and waits for the first screen. */
export async function logIn({ page }: Visit, username: string, path = '/'): Promise<void> {
  const { url, password } = inject('product')
  await page.goto(url + path)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.locator('#content').waitFor()
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
