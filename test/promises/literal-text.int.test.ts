import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Texts that mean something to SQL where they are not bound: quotes, comments, patterns, casts, stacked and sleeping statements, operators of words. */
// biome-ignore format: one attack a line
const ATTACKS = [
  '%', '_', '\\', '%%', '\\%', '\'', '"', '\'\'', '$1', '$$', '--', '/*', ';', '?', ':x', '{x}',
  "' or '1'='1", "' or 1=1 --", '" or ""="', "') or ('1'='1", "'; drop table cves; --", "1; select pg_sleep(60)", "' || pg_sleep(60) --",
  "'; select pg_sleep(60); --", "1' and (select 1 from pg_sleep(60)) is null --", "' union select username, password_hash from users --",
  "' union all select null, null, null --", "1) or (select count(*) from users) > 0 --", "id desc; drop table users", "id, (select pg_sleep(60))",
  "(case when (select true) then id else score end)", "score desc nulls first, (select 1/0)", "cast((select version()) as int)", "'::regclass", "E'\\x27'",
  "\\' or 1=1 --", "ʼ or 1=1 --", "＇ or 1=1 --", "a' & 'b", "a:* | !b", "'foo':* <-> 'bar'", "x'; copy users to program 'id'; --",
]

type Operation = { title: string; method: string; path: string; query: string[]; inPath: string[]; body: string[] }
type Parameter = { name: string; in: string }
const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<
    string,
    Record<string, { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: { properties?: object } }> } }>
  >
}
const OPERATIONS: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
    title: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
    inPath: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
    body: Object.keys(requestBody?.content['application/json']?.schema.properties ?? {}),
  })),
)
const ATTACKED = OPERATIONS.filter(({ query, inPath, body }) => query.length + inPath.length + body.length > 0)
/** The rest of a body that gets as far as the database. */
const BODIES: Record<string, object> = {
  'POST /api/v1/feeds': { name: 'a list', url: 'https://lists.example.org/a.txt', format: 'CSV' },
  'POST /api/v1/incidents': { title: 'An incident', severity: 'LOW' },
  'POST /api/v1/cves/{id}/verdict': { product: 'mail' },
  'POST /api/v1/exclusions': { value: 'a.example.org', reason: 'a test of the journal' },
}
const ABSENT = '00000000-0000-7000-8000-0000000000ee'
const PLAIN = [
  'wholly plain',
  'half % done',
  'under_score',
  'back\\slash',
  "it's quoted",
  'a "word" too',
  'dollar $1 $$',
  'semi; -- colon',
  '{x} :x ?',
]
const ID = (n: number) => `CVE-2031-${1000 + n}`

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  const temp = makeTempFolder('svc-literal')
  const path = join(temp.folder, 'nvd.json')
  const vulnerabilities = PLAIN.map((value, n) => ({
    cve: { id: ID(n), vulnStatus: 'Analyzed', published: '2031-01-01', lastModified: '2031-01-01', descriptions: [{ lang: 'en', value }] },
  }))
  writeFileSync(path, JSON.stringify({ vulnerabilities }))
  await app.services.cvesImport.importFile(COMMAND_LINE_ACTOR, path, {
    onlyKnown: false,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  temp.remove()
})
afterAll(async () => await app.close())

/** Every request of an operation with one text in one place. */
function attacks({ title, method, path, query, inPath, body }: Operation, text: string): { method: string; url: string; body?: object }[] {
  const filled = (name?: string) =>
    path.replace(/\{(\w+)\}/g, (_, each) => (each === name ? encodeURIComponent(text) : each === 'cve_id' ? ID(0) : ABSENT))
  const rest = BODIES[title] ?? {}
  const plain = body.length > 0 ? { body: rest } : {}
  return [
    ...inPath.map((name) => ({ method, url: filled(name), ...plain })),
    ...query.map((name) => ({ method, url: `${filled()}?${name}=${encodeURIComponent(text)}`, ...plain })),
    ...body.flatMap((name) => [
      { method, url: filled(), body: { ...rest, [name]: text } },
      { method, url: filled(), body: { ...rest, [name]: [text] } },
    ]),
    ...(body.length > 0 ? [{ method, url: filled(), body: { ...rest, [text]: text } }] : []),
  ]
}

describe('C11: text is text', () => {
  test('every text in every query parameter, path, JSON value and JSON key: no answer is a 500, nothing sleeps, nothing is lost', async () => {
    const { rows: before } = await sql`select (select count(*) from cves) as cves, (select count(*) from users) as users`.execute(
      app.services.db,
    )
    expect(ATTACKED.length).toBeGreaterThan(40)
    const faults: string[] = []
    let asked = 0
    for (const operation of ATTACKED)
      for (const text of ATTACKS)
        await Promise.all(
          attacks(operation, text).map(async ({ method, url, body }) => {
            asked++
            const answer = await app.call(method, url, 'ADMIN', body)
            // A sleeping statement would be an answer 60 seconds later, or a 503 of the limit on statements.
            if (answer.statusCode >= 500) faults.push(`${answer.statusCode} ${method} ${url} ${JSON.stringify(body)}`)
          }),
        )
    expect(faults).toEqual([])
    expect(asked).toBeGreaterThan(5000)
    const { rows: after } = await sql`select (select count(*) from cves) as cves, (select count(*) from users) as users`.execute(
      app.services.db,
    )
    expect(after).toEqual(before)
  }, 600_000)

  test.each([...ATTACKS, ...PLAIN, 'done', '100%', '__'])('q=%j finds what holds it, as it stands', async (text) => {
    const answer = await app.call('GET', `/api/v1/cves?q=${encodeURIComponent(text)}`, 'VIEWER')
    expect(answer.statusCode).toBe(200)
    const expected = PLAIN.flatMap((value, n) => (value.toLowerCase().includes(text.trim().toLowerCase()) ? [ID(n)] : []))
    const found = answer.json().items.map(({ id }: { id: string }) => id)
    expect(found.sort()).toEqual(expected.sort())
  })

  test('no order is taken from a text that is none', async () => {
    for (const text of ATTACKS) {
      const answer = await app.call('GET', `/api/v1/cves?sort=${encodeURIComponent(text)}`, 'VIEWER')
      expect([text, answer.statusCode]).toEqual([text, 422])
    }
  })
})
