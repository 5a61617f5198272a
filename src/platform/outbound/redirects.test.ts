import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type BadServer, reply, startBadServer } from '#test/support/bad-server.ts'
import { selfSigned } from '#test/support/self-signed.ts'
import { parseAllowedHosts } from './allowed-hosts.ts'
import { systemDial } from './connection.ts'
import { bodyText, get, openTrial, refusal } from './trial.test-support.ts'

const CANARY = 'canary-4711-key'
const CANARY_BASE64 = Buffer.from(CANARY).toString('base64').slice(0, 18)
const CREDENTIALS = {
  authorization: `Bearer ${CANARY}`,
  cookie: `session=${CANARY}`,
  'x-pulse-api-key': CANARY,
  'proxy-authorization': CANARY,
}

let home: BadServer
let other: BadServer
beforeAll(async () => {
  home = await startBadServer(reply(200, 'home'))
  other = await startBadServer(reply(200, 'other'))
})
afterAll(async () => {
  await Promise.all([home.close(), other.close()])
})
beforeEach(() => {
  home.requests.length = 0
  other.requests.length = 0
})

function redirectHome(status: number, location: string | undefined): void {
  home.answer((socket, request) =>
    (request.path.startsWith('/start') ? reply(status, 'moved', location === undefined ? {} : { Location: location }) : reply(200, 'home'))(
      socket,
      request,
    ),
  )
}

const withCredentials = { credentialHeaders: CREDENTIALS, headers: { accept: 'text/csv', 'x-feed-key': CANARY } }

// biome-ignore format: one case per line
const FOLLOWED: { title: string; status: number; location: () => string; body: string }[] = [
  { title: '301 to another host',             status: 301, location: () => `${other.origin}/a`,                  body: 'other' },
  { title: '302 to another host',             status: 302, location: () => `${other.origin}/a`,                  body: 'other' },
  { title: '303 to another host',             status: 303, location: () => `${other.origin}/a`,                  body: 'other' },
  { title: '307 to another host',             status: 307, location: () => `${other.origin}/a`,                  body: 'other' },
  { title: '308 to another host',             status: 308, location: () => `${other.origin}/a`,                  body: 'other' },
  { title: 'to another host without scheme',  status: 302, location: () => `//127.0.0.1:${other.port}/a`,         body: 'other' },
  { title: 'to another host, blanks around',  status: 302, location: () => `  ${other.origin}/a `,               body: 'other' },
  { title: 'to another host with braces',     status: 302, location: () => `${other.origin}/{KEY}`,              body: 'other' },
  { title: 'to a path of the same host',      status: 302, location: () => '/next',                              body: 'home' },
  { title: 'to a relative path',              status: 302, location: () => 'next',                               body: 'home' },
  { title: 'to a query of the same host',     status: 302, location: () => '/next?a=b',                          body: 'home' },
  { title: 'to the same host in full',        status: 301, location: () => `${home.origin}/next`,                body: 'home' },
]

test.each(FOLLOWED)('followed: $title', async ({ status, location, body }) => {
  redirectHome(status, location())
  expect(
    await bodyText(openTrial().outbound.download(get(`${home.origin}/start?key={KEY}`, { keys: { KEY: CANARY }, ...withCredentials }))),
  ).toBe(body)
  const away = other.requests.map(({ raw }) => raw).join('')
  expect(away).not.toContain(CANARY)
  expect(away).not.toContain(CANARY_BASE64)
  expect(away).not.toMatch(/referer|authorization|cookie|api-key/i)
  // The same host is still served: credentials go to every page of it.
  expect(
    home.requests.every(({ headers }) => headers['authorization'] === CREDENTIALS.authorization && headers['accept'] === 'text/csv'),
  ).toBe(true)
  expect(other.requests.length).toBe(body === 'other' ? 1 : 0)
})

// biome-ignore format: one case per line
const REFUSED: { title: string; location: () => string | undefined }[] = [
  { title: 'no Location',                               location: () => undefined },
  { title: 'an empty Location',                         location: () => '' },
  { title: 'loopback that is not exempt',               location: () => 'https://127.0.0.2/a' },
  { title: 'a private address',                         location: () => 'https://10.0.0.1/a' },
  { title: 'cloud metadata over http',                  location: () => 'http://169.254.169.254/latest/meta-data/' },
  { title: 'cloud metadata over https',                 location: () => 'https://169.254.169.254/latest/meta-data/' },
  { title: 'a mapped address',                          location: () => 'https://[::ffff:127.0.0.1]/a' },
  { title: 'a number',                                  location: () => `http://2130706433:${other.port}/a` },
  { title: 'a short address',                           location: () => `http://127.1:${other.port}/a` },
  { title: 'a local name',                              location: () => 'https://localhost/a' },
  { title: 'a local name without scheme',               location: () => '//localhost/a' },
  { title: 'plain http to a public host',               location: () => 'http://example.com/a' },
  { title: 'a file',                                    location: () => 'file:///etc/passwd' },
  { title: 'a data address',                            location: () => 'data:text/plain,127.0.0.1' },
  { title: 'userinfo',                                  location: () => `http://a:b@127.0.0.1:${other.port}/a` },
  { title: 'backslashes',                               location: () => `\\\\127.0.0.1:${other.port}\\a` },
  { title: 'a backslash after a slash',                 location: () => `/\\127.0.0.1:${other.port}/a` },
  { title: 'a tab inside',                              location: () => `/\t/127.0.0.1:${other.port}/a` },
  { title: 'the key sent on to another host',           location: () => `${other.origin}/a?key=${CANARY}` },
  { title: 'the key in base64 sent on to another host', location: () => `${other.origin}/${Buffer.from(`u:${CANARY}`).toString('base64')}` },
]

test('32 redirects are tried', () => expect(FOLLOWED.length + REFUSED.length).toBe(32))

test.each(REFUSED)('refused: $title', async ({ location }) => {
  redirectHome(302, location())
  const error = await refusal(
    openTrial().outbound.download(get(`${home.origin}/start?key={KEY}`, { keys: { KEY: CANARY }, ...withCredentials })),
  )
  expect(error).toMatchObject({ code: 'redirect_forbidden', attempts: 1 })
  expect(error.message).not.toContain(CANARY)
  expect(other.requests).toEqual([])
})

test('five redirects are followed, the sixth is refused', async () => {
  home.answer((socket, request) => {
    const left = Number(request.path.slice(1))
    return (left > 0 ? reply(302, '', { Location: `/${left - 1}` }) : reply(200, 'arrived'))(socket, request)
  })
  const { outbound } = openTrial()
  expect(await bodyText(outbound.download(get(`${home.origin}/5`)))).toBe('arrived')
  home.requests.length = 0
  expect(await refusal(outbound.download(get(`${home.origin}/6`)))).toMatchObject({ code: 'too_many_redirects', attempts: 1 })
  expect(home.requests).toHaveLength(6)
})

test('credentials do not come back after a detour over another host', async () => {
  home.answer((socket, request) =>
    (request.path === '/start' ? reply(302, '', { Location: `${other.origin}/detour` }) : reply(200, 'back'))(socket, request),
  )
  other.answer(reply(302, '', { Location: `${home.origin}/end` }))
  expect(await bodyText(openTrial().outbound.download(get(`${home.origin}/start`, withCredentials)))).toBe('back')
  other.answer(reply(200, 'other'))
  expect(home.requests.map(({ path, headers }) => [path, headers['x-pulse-api-key'], headers['x-feed-key']])).toEqual([
    ['/start', CANARY, CANARY],
    ['/end', undefined, undefined],
  ])
})

test('a redirect from https to http is refused although the host is exempt', async () => {
  const certificate = selfSigned(['secure.example.com'])
  const secure = await startBadServer(reply(302, '', { Location: `${other.origin}/a` }), certificate)
  const host = `secure.example.com:${secure.port}`
  const { outbound } = openTrial({
    allowHosts: parseAllowedHosts(`${host}, 127.0.0.1`),
    ca: certificate.cert,
    resolve: async () => ['127.0.0.1'],
  })
  expect(await refusal(outbound.download(get(`https://${host}/a`)))).toMatchObject({ code: 'redirect_forbidden' })
  expect(other.requests).toEqual([])
  await secure.close()
})

test('a redirect to a name that resolves to an internal address is refused', async () => {
  redirectHome(302, 'https://feed.example.com/a')
  const dialled: string[] = []
  const { outbound } = openTrial({
    resolve: async () => ['10.0.0.1'],
    dial: (target) => {
      dialled.push(...target.addresses)
      return systemDial(target)
    },
  })
  expect(await refusal(outbound.download(get(`${home.origin}/start`)))).toMatchObject({ code: 'address_forbidden' })
  expect(dialled).toEqual(['127.0.0.1'])
})
