import { readFileSync } from 'node:fs'

/** Texts that mean something to SQL where they are not bound: quotes, comments, patterns, casts, stacked and sleeping statements, operators of words. */
// biome-ignore format: one attack a line
export const SQL_TEXTS = [
  '%', '_', '\\', '%%', '\\%', '\'', '"', '\'\'', '$1', '$$', '--', '/*', ';', '?', ':x', '{x}',
  "' or '1'='1", "' or 1=1 --", '" or ""="', "') or ('1'='1", "'; drop table cves; --", "1; select pg_sleep(60)", "' || pg_sleep(60) --",
  "'; select pg_sleep(60); --", "1' and (select 1 from pg_sleep(60)) is null --", "' union select username, password_hash from users --",
  "' union all select null, null, null --", "1) or (select count(*) from users) > 0 --", "id desc; drop table users", "id, (select pg_sleep(60))",
  "(case when (select true) then id else score end)", "score desc nulls first, (select 1/0)", "cast((select version()) as int)", "'::regclass", "E'\\x27'",
  "\\' or 1=1 --", "ʼ or 1=1 --", "＇ or 1=1 --", "a' & 'b", "a:* | !b", "'foo':* <-> 'bar'", "x'; copy users to program 'id'; --",
]

/** An operation of the API with the places that take a text: parameters of the query and the path, and the members of a JSON body. */
export type Operation = { title: string; method: string; path: string; query: string[]; inPath: string[]; body: string[] }
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
/** Every operation of openapi.json that takes a text somewhere. */
export const ATTACKED = OPERATIONS.filter(({ query, inPath, body }) => query.length + inPath.length + body.length > 0)

/** The rest of a body that gets as far as the database. */
const BODIES: Record<string, object> = {
  'POST /api/v1/feeds': { name: 'a list', url: 'https://lists.example.org/a.txt', format: 'CSV' },
  'POST /api/v1/incidents': { title: 'An incident', severity: 'LOW' },
  'POST /api/v1/cves/{id}/verdict': { product: 'mail' },
  'POST /api/v1/exclusions': { value: 'a.example.org', reason: 'a test of the journal' },
  'POST /api/v1/warning-lists': { name: 'a list', type: 'string', list: ['a.example.org'] },
  'POST /api/v1/product-aliases': { vendor: 'a vendor', product: 'mail', name: 'our mail' },
}
const ABSENT = '00000000-0000-7000-8000-0000000000ee'
/** The CVE of every path that names one and is not attacked there; whoever attacks stores it. */
export const NAMED_CVE = 'CVE-2031-1000'

/** A request with a text in one place, the name of that place within its operation, and whether it is made with a login. */
export type Attack = { place: string; signedIn: boolean; method: string; url: string; body?: object }

/** Every request of an operation with one text in one place; the same places in the same order for every text. */
export function attacks({ title, method, path, query, inPath, body }: Operation, text: string): Attack[] {
  const isOfCve = (name: string) => name === 'cve_id' || path.startsWith('/api/v1/cves/')
  const filled = (name?: string) =>
    path.replace(/\{(\w+)\}/g, (_, each) => (each === name ? encodeURIComponent(text) : isOfCve(each) ? NAMED_CVE : ABSENT))
  const rest = BODIES[title] ?? {}
  const plain = body.length > 0 ? { body: rest } : {}
  // A logout that is sent with an access token ends its session, and every request after it would be refused at the door.
  const how = { signedIn: !path.startsWith('/api/v1/auth/'), method }
  return [
    ...inPath.map((name) => ({ place: `path ${name}`, ...how, url: filled(name), ...plain })),
    ...query.map((name) => ({ place: `query ${name}`, ...how, url: `${filled()}?${name}=${encodeURIComponent(text)}`, ...plain })),
    ...body.flatMap((name) => [
      { place: `body ${name}`, ...how, url: filled(), body: { ...rest, [name]: text } },
      { place: `body ${name}[]`, ...how, url: filled(), body: { ...rest, [name]: [text] } },
    ]),
    ...(body.length > 0 ? [{ place: 'body key', ...how, url: filled(), body: { ...rest, [text]: text } }] : []),
  ]
}
