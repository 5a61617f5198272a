import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { requireOwnOrigin } from './own-origin.ts'

const TRUSTED = new Set(['https://soc.example.org'])
const passes = (origin: string | undefined, host: string): boolean => {
  try {
    requireOwnOrigin({ headers: { origin }, host } as unknown as FastifyRequest, TRUSTED)
    return true
  } catch {
    return false
  }
}

// biome-ignore format: one table
test.each([
  { title: 'a page of the same host',                         origin: 'http://svc.example.org:8000',  host: 'svc.example.org:8000',     want: true },
  { title: 'a page behind a proxy that ends TLS',             origin: 'https://svc.example.org',      host: 'svc.example.org',          want: true },
  { title: 'a host that names the default port',              origin: 'https://svc.example.org',      host: 'svc.example.org:443',      want: true },
  { title: 'the default port of the other scheme',            origin: 'https://svc.example.org',      host: 'svc.example.org:80',       want: false },
  { title: 'a listed origin',                                 origin: 'https://soc.example.org',      host: 'svc.example.org',          want: true },
  { title: 'another port of the same host',                   origin: 'http://svc.example.org:9000',  host: 'svc.example.org:8000',     want: false },
  { title: 'a host that begins alike',                        origin: 'https://svc.example.org.evil', host: 'svc.example.org',          want: false },
  { title: 'the host as a user name',                         origin: 'https://svc.example.org@evil', host: 'svc.example.org',          want: false },
  { title: 'a page without an origin of its own',             origin: 'null',                         host: 'null',                     want: false },
  { title: 'another scheme',                                  origin: 'chrome-extension://abc',       host: 'abc',                      want: false },
  { title: 'no origin',                                       origin: undefined,                      host: 'svc.example.org',          want: false },
  { title: 'a host that is none',                             origin: 'http://a',                     host: 'a/b c',                    want: false },
])('$title: $want', ({ origin, host, want }) => expect(passes(origin, host)).toBe(want))
