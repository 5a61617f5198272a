import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { hideRefusedFiles, NOTHING_HERE, sendProblem } from './problem.ts'

/** Stands in index.html wherever the nonce of the answer belongs. */
const NONCE_PLACE = '__CSP_NONCE__'
const NONCE_BYTES = 16
const ASSET_MAX_AGE_SECONDS = 31_536_000
/** Addresses of the interface: words, numbers and ids. Whatever has a dot is a file, and one that is asked for here (/.env, /backup.sql) does not exist. */
const BROWSER_ROUTE = /^((\/[A-Za-z0-9_-]+)*\/?|\/index\.html)(\?|$)/
const ICON = 'favicon.svg'
/** Paths that never fall back to the interface: their 404 stays JSON. */
const MACHINE_PATHS = /^\/(api|taxii2|health|ready|metrics|openapi\.json|docs)(\/|$|\?)/

/**
 * Serves the built interface at the root: hashed assets for good, and index.html with a fresh nonce for every browser route.
 * Does nothing when there is no build.
 */
export async function installWebInterface(app: FastifyInstance, webDirectory: string | undefined): Promise<void> {
  if (webDirectory === undefined) return
  const root = resolve(webDirectory)
  if (!existsSync(join(root, 'index.html'))) return
  const page = readFileSync(join(root, 'index.html'), 'utf8')

  const assets: FastifyPluginAsync = async (scope) => {
    hideRefusedFiles(scope)
    await scope.register(fastifyStatic, {
      root: join(root, 'assets'),
      prefix: '/assets/',
      index: false,
      dotfiles: 'deny',
      decorateReply: false,
      maxAge: ASSET_MAX_AGE_SECONDS * 1000,
      // Source maps hold the source; a build that has them by mistake does not show them.
      allowedPath: (path) => !path.toLowerCase().endsWith('.map'),
      immutable: true,
    })
  }
  await app.register(assets)

  const icon = join(root, ICON)
  if (existsSync(icon)) {
    const image = readFileSync(icon)
    app.get(`/${ICON}`, { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(image),
    )
  }

  // A route and not a second not-found handler: Fastify allows one of those, and it answers what is no browser's business.
  app.get('/*', { config: { access: 'public' }, schema: { hide: true } }, (request, reply) => {
    const isFile = !BROWSER_ROUTE.test(request.url) || request.url.startsWith('/assets/')
    if (isFile || MACHINE_PATHS.test(request.url)) return sendProblem(request, reply, NOTHING_HERE)
    return sendPage(reply, page)
  })
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  return reply
    .status(200)
    .headers({
      'content-security-policy': contentSecurityPolicy(nonce),
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE_PLACE, nonce))
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}
