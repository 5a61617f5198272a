import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

type Answer = (request: Request) => Response

const STREAM = '/api/v1/stream'
const REFRESH = '/api/v1/auth/refresh'
const tokenFor = (n: number) => `h.${btoa(JSON.stringify({ sub: 'ada', n }))}.s`
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code }), { status, headers })
const renewed = () => new Response(JSON.stringify({ access_token: tokenFor(1), expires_in: 900 }))

/** A stream that says `pieces` and then ends; with a signal it stays open until that, as a browser does. */
function streamOf(pieces: readonly string[], signal?: AbortSignal): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      if (signal === undefined) controller.close()
      else signal.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** The stream of a fresh page, with a server that answers by path, the last answer for ever. */
async function openWith(answers: Record<string, Answer[]>, endsInMs = 600_000) {
  vi.resetModules()
  const asked: { path: string; token: string | null }[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url)
    asked.push({ path: pathname, token: request.headers.get('authorization') })
    const queue = answers[pathname] ?? []
    const answer = (queue.length > 1 ? queue.shift() : queue[0])?.(request)
    if (answer === undefined) throw new TypeError('Failed to fetch')
    return answer
  })
  const store = await import('../token-store.ts')
  const { openStream } = await import('./open-stream.ts')
  store.keepToken({ token: tokenFor(0), endsAtMs: Date.now() + endsInMs })
  const heard: string[] = []
  let opened = 0
  const stop = new AbortController()
  const end = openStream({ signal: stop.signal, onOpen: () => opened++, onMessage: ({ name }) => heard.push(name) })
  return { end, heard, asked, stop, opened: () => opened, loggedIn: () => store.currentToken() !== undefined }
}

beforeEach(() => vi.stubGlobal('location', { origin: 'http://svc.test' }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('openStream', () => {
  it('sends the token of the session in the header, and hands over what it hears', async () => {
    const pieces = [': connected\n\n', 'event: feed.col', 'lected\ndata: {}\n\nevent: resync\ndata: {}\n\n']
    const { end, heard, asked, opened } = await openWith({ [STREAM]: [() => streamOf(pieces)] })
    expect(await end).toEqual({ why: 'lost' })
    expect(heard).toEqual(['feed.collected', 'resync'])
    expect(opened()).toBe(1)
    expect(asked).toEqual([{ path: STREAM, token: `Bearer ${tokenFor(0)}` }])
  })

  it('tells the end of the token from a loss, and renews one that has ended here too', async () => {
    const { end, asked, heard } = await openWith(
      { [STREAM]: [() => streamOf(['event: expired\ndata: {}\n\n'])], [REFRESH]: [renewed] },
      5500,
    )
    vi.useFakeTimers({ now: Date.now() + 1000, toFake: ['Date'] })
    expect(await end).toEqual({ why: 'expired' })
    expect(asked.map(({ path }) => path)).toEqual([STREAM, REFRESH])
    expect(heard).toEqual([])
  })

  it.each<[string, Answer, object]>([
    ['the time that is asked for', () => refusal(429, 'rate_limited', { 'retry-after': '20' }), { why: 'crowded', retryAfterMs: 20_000 }],
    ['15 s when none is', () => refusal(429, 'rate_limited'), { why: 'crowded', retryAfterMs: 15_000 }],
    ['nothing of a service that is down', () => refusal(503, 'database_unavailable'), { why: 'lost' }],
    ['nothing of a refusal', () => refusal(403, 'forbidden'), { why: 'lost' }],
    [
      'nothing of a page that a proxy wrote',
      () => new Response('<h1>hello</h1>', { headers: { 'content-type': 'text/html' } }),
      { why: 'lost' },
    ],
  ])('takes %s', async (_what, answer, outcome) => {
    const { end, opened } = await openWith({ [STREAM]: [answer] })
    expect(await end).toEqual(outcome)
    expect(opened()).toBe(0)
  })

  it('renews a token that is refused, once, and opens with the new one', async () => {
    const { end, asked, heard } = await openWith({
      [STREAM]: [() => refusal(401, 'token_expired'), () => streamOf(['event: resync\ndata: {}\n\n'])],
      [REFRESH]: [renewed],
    })
    await end
    expect(asked.map(({ token }) => token)).toEqual([`Bearer ${tokenFor(0)}`, null, `Bearer ${tokenFor(1)}`])
    expect(heard).toEqual(['resync'])
  })

  it('ends the session of a disabled account', async () => {
    const { end, loggedIn } = await openWith({ [STREAM]: [() => refusal(401, 'account_disabled')] })
    expect(await end).toEqual({ why: 'lost' })
    expect(loggedIn()).toBe(false)
  })

  it('gives up on a stream that has been silent for 35 s, and not before', async () => {
    vi.useFakeTimers()
    const { end } = await openWith({ [STREAM]: [({ signal }) => streamOf([': connected\n\n'], signal)] })
    let ended = false
    void end.then(() => {
      ended = true
    })
    await vi.advanceTimersByTimeAsync(34_000)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await end).toEqual({ why: 'lost' })
  })

  it('stops reading when it is told to', async () => {
    const { end, stop } = await openWith({ [STREAM]: [({ signal }) => streamOf([': connected\n\n'], signal)] })
    await new Promise((resolve) => setTimeout(resolve, 10))
    stop.abort()
    expect(await end).toEqual({ why: 'lost' })
  })
})
