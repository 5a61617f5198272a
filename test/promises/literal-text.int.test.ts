import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { ATTACKED, attacks, NAMED_CVE, SQL_TEXTS } from '../support/sql-attacks.ts'
import { makeTempFolder } from '../support/temp-folder.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

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
const ID = (n: number) => (n === 0 ? NAMED_CVE : `CVE-2031-${1000 + n}`)

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

describe('C11: text is text', () => {
  test('every text in every query parameter, path, JSON value and JSON key: no answer is a 500, nothing sleeps, nothing is lost', async () => {
    const { rows: before } = await sql`select (select count(*) from cves) as cves, (select count(*) from users) as users`.execute(
      app.services.db,
    )
    expect(ATTACKED.length).toBeGreaterThan(40)
    const faults: string[] = []
    let asked = 0
    for (const operation of ATTACKED)
      for (const text of SQL_TEXTS)
        await Promise.all(
          attacks(operation, text).map(async ({ signedIn, method, url, body }) => {
            asked++
            const answer = await app.call(method, url, signedIn ? 'ADMIN' : undefined, body)
            // A sleeping statement would be an answer 60 seconds later, or a 503 of the limit on statements. Whoever is refused at the door attacks nothing.
            if (answer.statusCode >= 500 || (signedIn && answer.statusCode === 401))
              faults.push(`${answer.statusCode} ${method} ${url} ${JSON.stringify(body)}`)
          }),
        )
    expect(faults).toEqual([])
    expect(asked).toBeGreaterThan(5000)
    const { rows: after } = await sql`select (select count(*) from cves) as cves, (select count(*) from users) as users`.execute(
      app.services.db,
    )
    expect(after).toEqual(before)
  }, 600_000)

  test.each([...SQL_TEXTS, ...PLAIN, 'done', '100%', '__'])('q=%j finds what holds it, as it stands', async (text) => {
    const answer = await app.call('GET', `/api/v1/cves?q=${encodeURIComponent(text)}`, 'VIEWER')
    expect(answer.statusCode).toBe(200)
    const expected = PLAIN.flatMap((value, n) => (value.toLowerCase().includes(text.trim().toLowerCase()) ? [ID(n)] : []))
    const found = answer.json().items.map(({ id }: { id: string }) => id)
    expect(found.sort()).toEqual(expected.sort())
  })

  test('no order is taken from a text that is none', async () => {
    for (const text of SQL_TEXTS) {
      const answer = await app.call('GET', `/api/v1/cves?sort=${encodeURIComponent(text)}`, 'VIEWER')
      expect([text, answer.statusCode]).toEqual([text, 422])
    }
  })
})
