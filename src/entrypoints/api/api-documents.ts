import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { hideRefusedFiles } from '#platform/http/problem.ts'

/** Its files and the service itself, and nothing that is written into the page. Images: the signs are in its style sheet. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves /openapi.json and /docs, a page to read and to try the API. What they describe is public knowledge; production hides them unless asked. */
export async function installApiDocuments(app: HttpServer): Promise<void> {
  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, () => app.swagger())
  const page: FastifyPluginAsync = async (scope) => {
    hideRefusedFiles(scope)
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: CONTENT_SECURITY_POLICY,
      theme: { title: 'svc API' },
      // The other layout writes a style sheet into the page, which the policy refuses.
      uiConfig: {
        layout: 'BaseLayout',
        docExpansion: 'list',
        persistAuthorization: false,
        displayRequestDuration: true,
        tryItOutEnabled: false,
      },
    })
  }
  await app.register(page)
}
