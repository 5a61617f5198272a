import { COMMAND_LINE_ACTOR } from '#kernel/actor.ts'
import { transact } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import type { TestApp } from './test-app.ts'
import { withClient } from './with-client.ts'

/** What an incident can be about, made for one test: no other test has it. */
export type SubjectMaker = {
  cve(): Promise<string>
  ioc(): Promise<{ id: string; value: string }>
  alert(): Promise<{ id: string; cve_id: string }>
}

export function makeSubjects(app: () => Pick<TestApp, 'services' | 'database'>): SubjectMaker {
  let made = 0

  async function cve(): Promise<string> {
    const id = `CVE-2031-${10_000 + ++made}`
    await withClient(app().database.ownerUrl, async (run) => {
      await run(
        `insert into cves (id, status, published, last_modified, description, tags, cwes, exploit, reference_list, configurations, affected, digest,
           score, priority, words)
         values ($1, 'Analyzed', now(), now(), 'A flaw.', '{}', '{}', false, '[]', '[]', '[]', '', 80, 'P0', '')`,
        [id],
      )
    })
    return id
  }

  return {
    cve,

    async ioc() {
      const value = `host${++made}.example.com`
      const { indicators } = app().services
      await indicators.submit(COMMAND_LINE_ACTOR, [{ value }])
      const [found] = (await indicators.page({ value })).items
      if (found === undefined) throw new Error('The IOC was not stored.')
      return { id: found.id, value }
    },

    async alert() {
      const { alerts, db } = app().services
      const cveId = await cve()
      await transact(db, SILENT_LOGGING.for('svc.cve'), async (tx) => {
        await alerts.raise(tx, [{ cveId, generation: 1, priority: 'P0', score: 90, title: 'A title' }])
      })
      const [alert] = (await alerts.page({ cve_id: cveId })).items
      if (alert === undefined) throw new Error('The alert was not raised.')
      return alert
    },
  }
}
