import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const BUILT_ASSETS = fileURLToPath(new URL('../../web/dist/assets/', import.meta.url))
/** Stands in every file that must not be served. */
const HIDDEN = 'this must stay hidden'

const place = makeTempFolder('web')
const web = join(place.folder, 'dist')
let production: TestApp
let documented: TestApp
const origins = new Map<TestApp, URL>()

beforeAll(async () => {
  mkdirSync(join(web, 'assets', '.git'), { recursive: true })
  mkdirSync(join(web, '.git'))
  writeFileSync(join(web, 'index.html'), '<!doctype html><title>svc</title><script nonce="__CSP_NONCE__" src="/assets/app-1.js"></script>')
  writeFileSync(join(web, 'assets', 'app-1.js'), 'export {}\n')
  for (const path of [
    'secret.txt',
    'dist/.env',
    'dist/.git/config',
    'dist/assets/.env',
    'dist/assets/.git/config',
    'dist/assets/app-1.js.map',
    'dist/package.json',
  ])
    writeFileSync(join(place.folder, path), HIDDEN)
  symlinkSync(join(place.folder, 'secret.txt'), join(web, 'assets', '.link.txt'))
  production = await createTestApp({ WEB_DIR: web, ENVIRONMENT: 'production' })
  documented = await createTestApp({ WEB_DIR: web, ENVIRONMENT: 'production', DOCS_ENABLED: 'true' })
  for (const app of [production, documented]) origins.set(app, new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })))
})
afterAll(async () => {
  await Promise.all([production.close(), documented.close()])
  place.remove()
})

type Raw = { status: number; head: string; body: string }

/** One request exactly as written; HTTP clients tidy paths up before they send them. */
async function ask(app: TestApp, method: string, path: string): Promise<Raw> {
  const { hostname, port } = origins.get(app) ?? new URL('http://127.0.0.1')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(port), hostname, () =>
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`, 'latin1'),
  )
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('close', () => resolve(text)).on('error', reject)
  const answer = await promise
  const [head = '', ...body] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: body.join('\r\n\r\n') }
}

function expectNothing({ status, head, body }: Raw, statuses = [404]): void {
  expect(statuses).toContain(status)
  expect(body).not.toContain(HIDDEN)
  expect(body).not.toMatch(/<!doctype/i)
  expect(head).toContain('application/problem+json')
  expect(head).not.toMatch(/\r\n(server|x-powered-by):/)
}

describe('D14: production hides', () => {
  // biome-ignore format: one case per line
  test.each([
    '/docs', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/swagger-ui-bundle.js', '/docs/static/index.html', '/openapi.json', '/openapi.yaml', '/swagger.json',
    '/.git/config', '/.git/HEAD', '/.env', '/assets/.env', '/assets/.git/config', '/assets/app-1.js.map', '/assets/APP-1.JS.MAP', '/assets/app-1.js.map?x',
    '/package.json', '/backup.sql', '/server-status.php', '/assets/',
  ])('%s', async (path) => expectNothing(await ask(production, 'GET', path)))

  test.each(['TRACE', 'TRACK', 'CONNECT', 'DEBUG', 'PROPFIND'])('the method %s', async (method) => {
    for (const path of ['/', '/health', '/api/v1/users/me']) {
      const answer = await ask(production, method, path)
      // Node cuts a CONNECT without a word.
      if (method !== 'CONNECT' || answer.head !== '') expect([400, 404, 405, 501]).toContain(answer.status)
      expect(answer.body).not.toContain('Host:')
    }
  })

  test.each(['/', '/health', '/api/v1/users/me', '/assets/app-1.js', '/nothing'])('what it is made of, at %s', async (path) => {
    const { head } = await ask(production, 'GET', path)
    expect(head).not.toMatch(/\r\n(server|x-powered-by|x-aspnet[^:]*|via):/)
    expect(head).not.toMatch(/fastify|node/)
  })

  test('nothing else: interface, assets and 404 of the API are there', async () => {
    expect(await ask(production, 'GET', '/iocs?q=a.b')).toMatchObject({ status: 200, body: expect.stringContaining('<title>svc') })
    expect(await ask(production, 'GET', '/assets/app-1.js')).toMatchObject({ status: 200, body: 'export {}\n' })
    expectNothing(await ask(production, 'GET', '/api/v1/nothing'))
  })

  test('documents are there when DOCS_ENABLED says so, under a policy without inline code', async () => {
    const page = await ask(documented, 'GET', '/docs')
    expect(page.status).toBe(200)
    expect(page.head).toContain("content-security-policy: default-src 'none'; script-src 'self'")
    expect(page.head).not.toContain('unsafe')
    expect(page.body).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/i)
    expect((await ask(documented, 'GET', '/openapi.json')).status).toBe(200)
    expectNothing(await ask(documented, 'GET', '/docs/static/../../index.js'))
    expectNothing(await ask(documented, 'GET', '/docs/static/%2e%2e/package.json'))
  })
})

describe('D14: nothing outside the folder of the interface is served', () => {
  // biome-ignore format: one case per line
  test.each([
    '/assets/../index.html', '/assets/../.env', '/assets/../../secret.txt', '/assets/..%2f..%2fsecret.txt', '/assets/%2e%2e/%2e%2e/secret.txt', '/assets/%2E%2E%2F%2E%2E%2Fsecret.txt',
    '/assets/..%5c..%5csecret.txt', '/assets/..\\..\\secret.txt', '/assets/%2e%2e%5c%2e%2e%5csecret.txt', '/assets/%252e%252e/%252e%252e/secret.txt', '/assets/....//....//secret.txt',
    '/assets/%c0%ae%c0%ae/secret.txt', '/assets/app-1.js%00.map', '/assets/%00', '/assets/..%00/secret.txt', '/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt',
    '/..\\secret.txt', '//../secret.txt', '/./../secret.txt', '/assets/./../../secret.txt', '/assets//etc/passwd', '/assets/%2fetc%2fpasswd', '/assets/%', '/assets/.link.txt', '/file:///etc/passwd',
  ])('%s', async (path) => {
    const answer = await ask(production, 'GET', path)
    expectNothing(answer)
    expect(answer.body).not.toContain('root:')
    expect((await ask(production, 'HEAD', path)).status).toBe(404)
  })
})

test.skipIf(!existsSync(BUILT_ASSETS))('D14: the built interface holds no source map', () => {
  const files = readdirSync(BUILT_ASSETS)
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
  const scripts = files.filter((file) => /\.(js|css)$/.test(file))
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((file) => readFileSync(join(BUILT_ASSETS, file), 'utf8').includes('sourceMappingURL='))).toEqual([])
})
