import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSubjects } from '../support/incident-subjects.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const ROUNDS = 30
const UNKNOWN = 'CVE-2031-9999999'

let app: TestApp
let owner: pg.Client
let cves: string[]
beforeAll(async () => {
  app = await createTestApp()
  owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
  const subjects = makeSubjects(() => app)
  cves = [await subjects.cve(), await subjects.cve(), await subjects.cve()]
  // Ends the session that has just written to a table, as a crash there would. `at commit` fires when everything else is written.
  await owner.query(`
    create table kill_point (name text);
    grant select on kill_point to svc_app;
    create function die() returns trigger language plpgsql as $$
    begin
      if exists (select from kill_point where name = tg_argv[0]) then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null;
    end $$;
    create trigger die_incidents after insert on incidents for each statement execute function die('incidents');
    create trigger die_cves after insert on incident_cves for each statement execute function die('incident_cves');
    create trigger die_events after insert on incident_events for each statement execute function die('incident_events');
    create constraint trigger die_commit after insert on incident_events deferrable initially deferred for each row execute function die('commit')`)
})
afterAll(async () => {
  await owner.end()
  await app.close()
})

async function open(cveIds: readonly string[], title: string): Promise<number> {
  return (await app.call('POST', '/api/v1/incidents', 'ANALYST', { title, cve_ids: cveIds })).statusCode
}

async function killAt(point: string | undefined): Promise<void> {
  await owner.query('delete from kill_point')
  if (point !== undefined) await owner.query('insert into kill_point values ($1)', [point])
}

/** What must agree: incidents, their CREATED rows, all rows of their timelines, their links, and the journal. */
async function expectWhole(): Promise<number> {
  const { rows } = await owner.query(`
    select (select count(*)::int from incidents) as incidents,
      (select count(*)::int from incident_events where kind = 'CREATED') as created,
      (select count(*)::int from incident_events) as entries, (select coalesce(sum(event_count), 0)::int from incidents) as counted,
      (select count(*)::int from incident_events where kind = 'CVE_LINKED') as told, (select count(*)::int from incident_cves) as linked,
      (select count(*)::int from audit_events where action = 'incident.created') as journalled`)
  const { incidents, created, entries, counted, told, linked, journalled } = rows[0]
  expect({ created, journalled }).toEqual({ created: incidents, journalled: incidents })
  expect({ entries, linked }).toEqual({ entries: counted, linked: told })
  expect(linked).toBe(incidents * cves.length)
  return incidents
}

describe('C5: an incident is whole or it is not there', () => {
  test.each([
    { place: 'first', order: (known: string[]) => [UNKNOWN, ...known] },
    { place: 'in the middle', order: (known: string[]) => [...known.slice(0, 1), UNKNOWN, ...known.slice(1)] },
    { place: 'last', order: (known: string[]) => [...known, UNKNOWN] },
  ])(`${ROUNDS} rounds: an unknown CVE $place is refused before anything is written`, async ({ order }) => {
    const before = await expectWhole()
    for (let round = 0; round < ROUNDS; round++) expect(await open(order(cves), `round ${round}`)).toBe(422)
    expect(await expectWhole()).toBe(before)
  })

  test.each(['incidents', 'incident_cves', 'incident_events', 'commit'])(
    `${ROUNDS} rounds: a session that is killed after its statement on %s leaves nothing`,
    async (point) => {
      const before = await expectWhole()
      await killAt(point)
      for (let round = 0; round < ROUNDS; round++) expect(await open(cves, `killed ${round}`)).toBe(503)
      expect(await expectWhole()).toBe(before)
      await killAt(undefined)
      expect(await open(cves, 'after it')).toBe(201)
      expect(await expectWhole()).toBe(before + 1)
    },
    60_000,
  )

  test(`${ROUNDS} rounds: two clients that open one about the same CVEs at once both have a whole one`, async () => {
    const before = await expectWhole()
    for (let round = 0; round < ROUNDS; round++)
      expect(await Promise.all([open(cves, `one ${round}`), open([...cves].reverse(), `two ${round}`)])).toEqual([201, 201])
    expect(await expectWhole()).toBe(before + 2 * ROUNDS)
  })
})
