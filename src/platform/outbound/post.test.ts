import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BadServer, reply, startBadServer } from '#test/support/bad-server.ts'
import { OutboundError } from './outbound.ts'
import { get, openTrial, refusal } from './trial.test-support.ts'

let server: BadServer
beforeAll(async () => {
  server = await startBadServer(reply(200))
})
afterAll(async () => await server.close())

const message = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}', totalMs: 300 })

async function refused(sending: Promise<unknown>): Promise<OutboundError> {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof OutboundError)) throw new Error('The message was expected to be refused.')
  return error
}

describe('post', () => {
  test('sends the body with its headers, and gives the status', async () => {
    server.answer(reply(202))
    expect(await openTrial().outbound.post(message(`${server.origin}/hook`))).toEqual({ status: 202, retryAfterMs: undefined })
    expect(server.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: { 'content-type': 'application/json', 'content-length': '7', 'user-agent': 'svc/test' },
    })
  })

  test('a redirect is an answer, and nobody follows it', async () => {
    const before = server.requests.length
    server.answer(reply(307, '', { location: `${server.origin}/elsewhere` }))
    expect(await openTrial().outbound.post(message(`${server.origin}/hook`))).toMatchObject({ status: 307 })
    expect(server.requests).toHaveLength(before + 1)
  })

  test('a wait that is asked for is told', async () => {
    server.answer(reply(503, '', { 'retry-after': '7' }))
    expect(await openTrial().outbound.post(message(`${server.origin}/hook`))).toEqual({ status: 503, retryAfterMs: 7000 })
  })

  test('no answer in time is a refusal that names the host and not the path', async () => {
    server.answer(() => undefined)
    const { code, message: sentence } = await refused(openTrial().outbound.post(message(`${server.origin}/capability`)))
    expect(code).toBe('timeout')
    expect(sentence).toContain(server.host)
    expect(sentence).not.toContain('capability')
  })

  // biome-ignore format: one case per line
  test.each([
    { title: 'http',                    url: 'http://hooks.example.com/a',  code: 'url_forbidden' },
    { title: 'an internal address',     url: 'https://10.0.0.1/a',          code: 'url_forbidden' },
    { title: 'a name that leads inside', url: 'https://hooks.example.com/a', code: 'address_forbidden' },
  ])('$title is refused before anything is sent', async ({ url, code }) => {
    const dialled: string[] = []
    const dial = ({ name }: { name: string }) => {
      dialled.push(name)
      throw new Error('Nothing may be dialled.')
    }
    const { outbound } = openTrial({ resolve: async () => ['10.0.0.1'], dial })
    expect(await refused(outbound.post(message(url)))).toMatchObject({ code })
    expect(dialled).toEqual([])
  })
})

describe('a caller with a schedule of its own', () => {
  test('makes one request only', async () => {
    const before = server.requests.length
    server.answer(reply(503, '', { 'retry-after': '9' }))
    const error = await refusal(openTrial().outbound.download(get(`${server.origin}/`, { maxAttempts: 1 })))
    expect(error).toMatchObject({ attempts: 1, status: 503, retryAfterMs: 9000 })
    expect(server.requests).toHaveLength(before + 1)
  })

  test('says how long an answer may take', async () => {
    server.answer(() => undefined)
    const error = await refusal(openTrial().outbound.download(get(`${server.origin}/`, { maxAttempts: 1, totalMs: 200 })))
    expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('0.2 s') })
  })
})
