import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INCIDENT_STEPS, type IncidentStep } from '#domains/incidents/incidents.model.ts'
import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { DomainError } from '#kernel/errors.ts'
import { makeSubjects } from '../support/incident-subjects.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { withClient } from '../support/with-client.ts'

const RACES = 200
const ROUNDS = 300
const RACE_TIMEOUT_MS = 180_000

let app: TestApp
let analystId = ''
let cve = ''
beforeAll(async () => {
  app = await createTestApp()
  analystId = (await app.services.accounts.getUserByName('analyst')).id
  cve = await makeSubjects(() => app).cve()
})
afterAll(async () => await app.close())

const openOne = async () => await app.services.incidents.open(COMMAND_LINE_ACTOR, { title: 'Raced for' })

async function overApi(as: 'ADMIN' | 'ANALYST', id: string, verb: string, body: object): Promise<number> {
  return (await app.call('POST', `/api/v1/incidents/${id}/${verb}`, as, body)).statusCode
}

/** What the command line calls. */
async function onCommandLine(work: () => Promise<unknown>): Promise<number> {
  try {
    await work()
    return 200
  } catch (error) {
    return error instanceof DomainError ? 409 : 500
  }
}

type Entry = { seq: number; at: Date; kind: string; from: string | null; to: string | null }
const timelineOf = async (id: string): Promise<Entry[]> => (await app.services.incidentReading.timeline(id, 0)).items

/** The incident is what its timeline says, step by step. */
async function expectConsistent(id: string): Promise<void> {
  const [incident, timeline] = [await app.services.incidentReading.get(id), await timelineOf(id)]
  expect(timeline.map(({ seq }) => seq)).toEqual(timeline.map((_, n) => n + 1))
  expect(incident.event_count).toBe(timeline.length)
  let state = { status: 'OPEN', level: 'L1', assignee: null as string | null, linked: 0 }
  for (const { kind, from, to } of timeline) {
    if (state.status === 'CLOSED') expect(kind).toBe('REOPENED')
    if (['STATUS_CHANGED', 'CLOSED', 'REOPENED'].includes(kind)) {
      expect(from).toBe(state.status)
      state = { ...state, status: to ?? '' }
    }
    if (kind === 'ESCALATED') {
      expect(from).toBe(state.level)
      state = { ...state, level: to ?? '' }
    }
    if (kind === 'ASSIGNED') {
      expect(from).toBe(state.assignee)
      state = { ...state, assignee: to }
    }
    if (kind === 'CVE_LINKED') state = { ...state, linked: state.linked + 1 }
    if (kind === 'CVE_UNLINKED') state = { ...state, linked: state.linked - 1 }
  }
  const { status, level, assignee, cve_count: linked } = incident
  expect({ status, level, assignee, linked }).toEqual(state)
}

/** Written by hand from the specification. */
const MAY_GO_TO: Record<IncidentStep, IncidentStep[]> = {
  OPEN: ['ANALYSIS', 'CLOSED'],
  ANALYSIS: ['CONTAINMENT', 'CLOSED'],
  CONTAINMENT: ['ERADICATION', 'ANALYSIS'],
  ERADICATION: ['RECOVERY', 'CONTAINMENT', 'ANALYSIS'],
  RECOVERY: ['CLOSED', 'ERADICATION', 'ANALYSIS'],
  CLOSED: ['ANALYSIS'],
}

describe('C16: the steps of an incident', () => {
  const pairs = INCIDENT_STEPS.flatMap((from) => INCIDENT_STEPS.map((to) => ({ from, to })))
  test.each(pairs)('from $from to $to over the API', async ({ from, to }) => {
    const { id } = await openOne()
    await withClient(app.database.ownerUrl, async (run) => {
      const closed = from === 'CLOSED' ? `, closed_at = now(), summary = 'x', resolution = 'DUPLICATE'` : ''
      await run(`update incidents set status = $2 ${closed} where id = $1`, [id, from])
    })
    const body = to === 'CLOSED' ? { to, summary: 'A summary.', resolution: 'DUPLICATE' } : { to, comment: 'A reason of some length.' }
    const answer = await app.call('POST', `/api/v1/incidents/${id}/transition`, 'ANALYST', body)
    if (MAY_GO_TO[from].includes(to)) return expect(answer.json()).toMatchObject({ status: to })
    expect(answer.json()).toMatchObject({ status: 409, code: 'invalid_transition' })
    for (const allowed of MAY_GO_TO[from]) expect(answer.json().detail).toContain(allowed)
    expect((await app.services.incidentReading.get(id)).status).toBe(from)
  })

  test(
    `${RACES} races: of two who move one incident at once, one does and the other is told what happened`,
    async () => {
      for (let race = 0; race < RACES; race++) {
        const { id, version } = await openOne()
        const close = { to: 'CLOSED', summary: 'Nothing.', resolution: 'FALSE_POSITIVE', version }
        const answers = await Promise.all([
          app.call('POST', `/api/v1/incidents/${id}/transition`, 'ANALYST', { to: 'ANALYSIS', version }),
          app.call('POST', `/api/v1/incidents/${id}/transition`, 'ADMIN', race % 2 === 0 ? { to: 'ANALYSIS', version } : close),
        ])
        const [winner, loser] = answers.toSorted((one, other) => one.statusCode - other.statusCode)
        expect([winner?.statusCode, loser?.statusCode]).toEqual([200, 409])
        expect(loser?.json()).toMatchObject({ code: 'conflict', incident: { version: version + 1 }, changes: [{ seq: 2 }] })
        expect(await timelineOf(id)).toHaveLength(2)
      }
    },
    RACE_TIMEOUT_MS,
  )

  test('whoever reads while many write sees a timeline that only grows at its end', async () => {
    const { id } = await openOne()
    let isWriting = true
    const writers = Promise.all(
      Array.from({ length: 60 }, async (_, n) =>
        expect(await overApi(n % 2 ? 'ADMIN' : 'ANALYST', id, 'comments', { comment: `c ${n}` })).toBe(200),
      ),
    ).finally(() => {
      isWriting = false
    })
    let seen: Entry[] = []
    do {
      const now = await timelineOf(id)
      expect(now.slice(0, seen.length)).toEqual(seen)
      expect(now.map(({ seq }) => seq)).toEqual(now.map((_, n) => n + 1))
      seen = now
    } while (isWriting)
    await writers
    const timeline = await timelineOf(id)
    expect(timeline).toHaveLength(61)
    expect(timeline.map(({ at }) => at.getTime())).toEqual(timeline.map(({ at }) => at.getTime()).toSorted((a, b) => a - b))
  })
})

const REASON = 'Beyond what this level may do.'
const CLOSE = { to: 'CLOSED', summary: 'Nothing.', resolution: 'FALSE_POSITIVE' }

/** What several do to one incident at once, none of whom names a version. */
const MIXES: Record<string, (id: string) => Promise<number>[]> = {
  'three escalate, by API and by command line': (id) => [
    overApi('ANALYST', id, 'escalate', { reason: REASON }),
    overApi('ADMIN', id, 'escalate', { reason: REASON }),
    onCommandLine(async () => await app.services.incidents.escalate(COMMAND_LINE_ACTOR, { id }, { reason: REASON })),
  ],
  'one closes while one comments and one escalates': (id) => [
    overApi('ANALYST', id, 'transition', CLOSE),
    overApi('ADMIN', id, 'comments', { comment: 'Wait.' }),
    onCommandLine(async () => await app.services.incidents.escalate(COMMAND_LINE_ACTOR, { id }, { reason: REASON })),
  ],
  'one assigns it, one frees it, one takes it with others': (id) => [
    overApi('ANALYST', id, 'assign', { assignee_id: analystId }),
    overApi('ADMIN', id, 'assign', { assignee_id: null }),
    onCommandLine(async () => await app.services.incidents.assignAll(COMMAND_LINE_ACTOR, [id], analystId)),
  ],
  'two link and one unlinks the same CVE': (id) => [
    overApi('ANALYST', id, 'links', { cve_ids: [cve] }),
    onCommandLine(async () => await app.services.incidentLinks.link(COMMAND_LINE_ACTOR, id, { cve_ids: [cve] })),
    onCommandLine(async () => await app.services.incidentLinks.unlinkCve(COMMAND_LINE_ACTOR, id, cve)),
  ],
}

describe('A12, applied to incidents: whoever changes one waits for whoever changes it now', () => {
  test.each(Object.entries(MIXES))(
    `${ROUNDS} rounds: %s`,
    async (_, mix) => {
      const statuses: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const { id } = await openOne()
        statuses.push(...(await Promise.all(mix(id))))
        await expectConsistent(id)
      }
      expect(statuses.filter((status) => ![200, 409].includes(status))).toEqual([])
      expect(statuses).toContain(200)
    },
    RACE_TIMEOUT_MS,
  )
})
