import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const DATA = 'http://svc.test/api/v1/feeds'
const tokenFor = (sub: string, n = 0) => `h.${btoa(JSON.stringify({ sub, n }))}.s`

type Answer = { status: number; body?: unknown } | 'no answer'
type Sent = { path: string; token: string | undefined; body: string }

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const renewed = (n: number): Answer => ({ status: 200, body: { access_token: tokenFor('ada', n), token_type: 'bearer', expires_in: 900 } })

let stored: Map<string, string>

/** The session modules with a state of their own, and a server that gives these answers by path, the last one for ever. */
async function browserWith(answers: Record<string, Answer[]>) {
  vi.resetModules()
  const sent: Sent[] = []
  let most = 0
  let under = 0
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname
    sent.push({ path, token: request.headers.get('authorization')?.replace('Bearer ', ''), body: await request.text() })
    under++
    most = Math.max(most, under)
    await new Promise((resolve) => setTimeout(resolve, 1))
    under--
    const queue = answers[path] ?? []
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? 'no answer'
    if (answer === 'no answer') throw new TypeError('Failed to fetch')
    return json(answer.status, answer.body ?? {})
  })
  const store = await import('./token-store.ts')
  const { authorizedFetch } = await import('./authorized-fetch.ts')
  const { renew } = await import('./renewal.ts')
  const events: string[] = []
  store.onSessionEvent((event) => events.push(event.kind === 'ended' ? event.why : event.kind))
  const of = (path: string) => sent.filter((one) => one.path.endsWith(path))
  return { ...store, authorizedFetch, renew, sent, of, events, most: () => most }
}

const living = () => Date.now() + 600_000
const refused = (code: string): Answer => ({ status: 401, body: { code } })
const FEEDS = '/api/v1/feeds'
const REFRESH = '/api/v1/auth/refresh'

beforeEach(() => {
  stored = new Map([['svc.session', '1']])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('location', { origin: 'http://svc.test' })
})
afterEach(() => vi.unstubAllGlobals())

describe('authorizedFetch', () => {
  it('sends the token, and asks for nothing else while it is good', async () => {
    const { authorizedFetch, keepToken, of, sent } = await browserWith({ [FEEDS]: [{ status: 200 }] })
    keepToken({ token: tokenFor('ada'), endsAtMs: living() })
    expect((await authorizedFetch(new Request(DATA))).status).toBe(200)
    expect(of(FEEDS).map(({ token }) => token)).toEqual([tokenFor('ada')])
    expect(sent).toHaveLength(1)
  })

  it('renews a token that has ended before it sends anything', async () => {
    const { authorizedFetch, keepToken, sent } = await browserWith({ [FEEDS]: [{ status: 200 }], [REFRESH]: [renewed(1)] })
    keepToken({ token: tokenFor('ada'), endsAtMs: Date.now() - 1 })
    await authorizedFetch(new Request(DATA))
    expect(sent.map(({ path, token }) => [path, token])).toEqual([
      [REFRESH, undefined],
      [FEEDS, tokenFor('ada', 1)],
    ])
  })

  it.each(['token_expired', 'token_invalid'])('sends a request again, with its body, after %s and one renewal', async (code) => {
    const browser = await browserWith({ [FEEDS]: [refused(code), { status: 201 }], [REFRESH]: [renewed(1)] })
    browser.keepToken({ token: tokenFor('ada'), endsAtMs: living() })
    const answer = await browser.authorizedFetch(new Request(DATA, { method: 'POST', body: '{"name":"x"}' }))
    expect(answer.status).toBe(201)
    expect(browser.of(FEEDS).map(({ body }) => body)).toEqual(['{"name":"x"}', '{"name":"x"}'])
    expect(browser.of(REFRESH)).toHaveLength(1)
    expect(browser.events).toEqual(['began', 'renewed'])
  })

  it('tries once only: a renewed token that is refused as well ends the session', async () => {
    const browser = await browserWith({ [FEEDS]: [refused('token_invalid')], [REFRESH]: [renewed(1)] })
    browser.keepToken({ token: tokenFor('ada'), endsAtMs: living() })
    expect((await browser.authorizedFetch(new Request(DATA))).status).toBe(401)
    expect(browser.of(FEEDS)).toHaveLength(2)
    expect(browser.events).toEqual(['began', 'renewed', 'expired'])
  })

  it('renews once for many requests that are refused together', async () => {
    const first = Array.from({ length: 5 }, () => refused('token_expired'))
    const browser = await browserWith({ [FEEDS]: [...first, { status: 200 }], [REFRESH]: [renewed(1), renewed(2)] })
    browser.keepToken({ token: tokenFor('ada'), endsAtMs: living() })
    const answers = await Promise.all(first.map(async () => await browser.authorizedFetch(new Request(DATA))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(browser.of(REFRESH)).toHaveLength(1)
  })

  it.each([
    { code: 'account_disabled', path: FEEDS, why: 'disabled', says: 'a disabled account ends the session without a renewal' },
    { code: 'refresh_invalid', path: REFRESH, why: 'expired', says: 'a refused renewal ends it' },
    { code: 'refresh_reused', path: REFRESH, why: 'reused', says: 'a second use ends it, and says so' },
  ])('$says', async ({ code, path, why }) => {
    const browser = await browserWith({ [FEEDS]: [refused('token_expired')], [REFRESH]: [renewed(1)], [path]: [refused(code)] })
    browser.keepToken({ token: tokenFor('ada'), endsAtMs: living() })
    await browser.authorizedFetch(new Request(DATA)).catch(() => undefined)
    expect(browser.events).toEqual(['began', why])
    expect(browser.currentToken()).toBeUndefined()
    expect(stored.get('svc.session')).toBeUndefined()
  })

  it.each([
    { answer: 'no answer' as const, status: 0 },
    { answer: { status: 503, body: { code: 'database_unavailable' } }, status: 503 },
    { answer: { status: 429, body: { code: 'rate_limited' } }, status: 429 },
  ])('keeps the session when the renewal gets $answer', async ({ answer, status }) => {
    const browser = await browserWith({ [FEEDS]: [{ status: 200 }], [REFRESH]: [answer, renewed(1)] })
    browser.keepToken({ token: tokenFor('ada'), endsAtMs: Date.now() - 1 })
    await expect(browser.authorizedFetch(new Request(DATA))).rejects.toMatchObject({ status })
    expect(browser.events).toEqual(['began'])
    expect(stored.get('svc.session')).toBe('1')
    stored.delete('svc.renewal')
    expect((await browser.authorizedFetch(new Request(DATA))).status).toBe(200)
  })

  it('sends nothing at all after a logout', async () => {
    const browser = await browserWith({ [FEEDS]: [{ status: 200 }] })
    await expect(browser.authorizedFetch(new Request(DATA))).rejects.toMatchObject({ status: 401, code: 'token_missing' })
    expect(browser.sent).toEqual([])
  })
})

describe('renew', () => {
  it('waits for the answer to a renewal that a page before it began and left', async () => {
    const browser = await browserWith({ [REFRESH]: [renewed(1)] })
    const beganMs = Date.now() - 2500
    stored.set('svc.renewal', String(beganMs))
    await browser.renew(undefined)
    expect(Date.now() - beganMs).toBeGreaterThanOrEqual(2990)
    expect(stored.get('svc.renewal')).toBeUndefined()
  })

  it('leaves the mark of a renewal that got no answer, since nobody knows whether the cookie was used up', async () => {
    const browser = await browserWith({ [REFRESH]: ['no answer'] })
    expect(await browser.renew(undefined)).toMatchObject({ outcome: 'unreachable' })
    expect(stored.get('svc.renewal')).toBeDefined()
  })

  it('notices that the cookie belongs to somebody else by now', async () => {
    const other: Answer = { status: 200, body: { access_token: tokenFor('ben'), token_type: 'bearer', expires_in: 900 } }
    const browser = await browserWith({ [REFRESH]: [other] })
    const own = { token: tokenFor('ada'), endsAtMs: Date.now() - 1 }
    browser.keepToken(own)
    await browser.renew(own)
    expect(browser.events).toEqual(['began', 'account-changed'])
  })

  it('never has two under way', async () => {
    const browser = await browserWith({ [REFRESH]: [renewed(1)] })
    await Promise.all([browser.renew(undefined), browser.renew(undefined), browser.renew(undefined)])
    expect(browser.of(REFRESH)).toHaveLength(1)
    expect(browser.most()).toBe(1)
  })
})
