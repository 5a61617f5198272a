import { expect, test } from 'vitest'
import { loadConfig } from './load-config.ts'
import { secretValues } from './secret-values.ts'

const secrets = (env: Record<string, string>) => secretValues(loadConfig({ SVC_ENV_FILE: '', ...env }, '/'))

// biome-ignore format: one case per line
test.each([
  { env: { SECRET_KEY: 'a key' },                                                     holds: ['a key'] },
  { env: { DATABASE_URL: 'postgres://svc_app:p%40ss%2Fword@db/svc' },                  holds: ['p%40ss%2Fword', 'p@ss/word'] },
  { env: { DATABASE_URL: 'postgres://svc_app@db/svc?password=behind' },                holds: ['behind'] },
  { env: { REDIS_URL: 'redis://:st%23re@store' },                                      holds: ['st%23re', 'st#re'] },
  { env: { FEED_KEY_A: 'key of a feed' },                                             holds: ['key of a feed'] },
  { env: { TAXII_AUTH: '{"h": {"username": "reader", "password": "of the reader"}}' }, holds: ['of the reader'] },
  { env: { PORT: '8123' },                                                            holds: [] },
])('$env', ({ env, holds }) => expect(secrets(env)).toEqual(holds.length === 0 ? [] : expect.arrayContaining(holds)))
