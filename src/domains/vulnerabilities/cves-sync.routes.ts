import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { actorOf, EVERYONE } from '#platform/http/access.ts'
import { problems } from '#platform/http/schemas.ts'
import { CveSyncSchema } from './cves-sync.schemas.ts'
import type { CvesSyncService } from './cves-sync.service.ts'

export function cveSyncRoutes(sync: Pick<CvesSyncService, 'status'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/cves/sync',
      {
        config: { access: EVERYONE },
        schema: {
          operationId: 'getCveSync',
          summary: 'How far CVEs, KEV and EPSS are up to date',
          tags: ['cves'],
          response: { 200: CveSyncSchema, ...problems(401) },
        },
      },
      async (request) => {
        const status = await sync.status()
        const isAdmin = actorOf(request).role === 'ADMIN'
        return { ...status, sources: status.sources.map((source) => ({ ...source, error: isAdmin ? source.error : null })) }
      },
    )
  }
}
