import { randomBytes } from 'node:crypto'
import { isKept, isKeptFrom, searchWords } from '#domains/vulnerabilities/search-words.ts'
import { buildApp } from '#entrypoints/api/build-app.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { ATTACKED, type Attack, attacks, NAMED_CVE, type Operation, SQL_TEXTS } from '#test/support/sql-attacks.ts'
import { BENCH_ACTOR, type BenchBase, median, openBenchBase, report, secondsOf } from './support/bench-base.ts'
import { fillCves } from './support/cve-base.ts'
import { domainList } from './support/lists.ts'

// Texts that mean something to SQL, in every place of every operation, beside plain letters of the same length there, one request at a time.
const CVES = 20_000
const VALUES = 20_000
const GOAL = 2
// Most answers take half a millisecond, and a single one says nothing. So a place is the sum over its texts, three times, which gives the middle place.
// The highest of hundreds of places and of thousands of texts are chosen by noise first: these are asked anew, and those figures alone count.
const ROUNDS = 3
const PLACES_AGAIN = 10
const TEXTS_AGAIN = 40
const ROUNDS_AGAIN = 15

/** Letters that begin no word of the base, and letters that are refused where, as in the id of a request, ASCII alone is taken. */
const ALPHABETS = ['zyxvutsrqponmlkjihgfedcba', 'žýẍâêîôûáéíóúàèìòùäëïöü']
// A text without a word, or of the most frequent words alone, is not looked up in the index of words, nor are other frequent words. Of all of these, 8000
// descriptions are looked at for nothing (docs/decisions/0027), so these words, which stand in most descriptions and nowhere side by side, are like it.
const FREQUENT_WORDS = 'w000002 w000003 w000002 w000003'
const SEARCH = 'GET /api/v1/cves, query q'
/** The place of those that no harmless text is answered like. */
const OTHERWISE = 'answered otherwise than letters'

type Pair = { place: string; text: string; hostile: Attack; harmless: Attack }
type Times = { ours: number[]; floor: number[] }
type Ask = (attack: Attack) => Promise<number>

function lettersLike(text: string, alphabet: string): string {
  return alphabet.repeat(Math.ceil(text.length / alphabet.length)).slice(0, text.length)
}

/** Whether a search looks it up by any of its words, of which the last may go on. */
function isLookedUp(text: string): boolean {
  return searchWords(text).some((word, at, { length }) => (at === length - 1 ? isKeptFrom(word) : isKept(word)))
}

function harmlessTexts(place: string, text: string): string[] {
  return place === SEARCH && !isLookedUp(text) ? [FREQUENT_WORDS] : ALPHABETS.map((alphabet) => lettersLike(text, alphabet))
}

/** The status of the second answer: the first of its kind may be stored, and every further one is a duplicate. */
async function statusOf(attack: Attack, ask: Ask): Promise<number> {
  await ask(attack)
  return await ask(attack)
}

async function firstAnswered(status: number, candidates: readonly Attack[], ask: Ask): Promise<Attack | undefined> {
  for (const candidate of candidates) if ((await statusOf(candidate, ask)) === status) return candidate
  return undefined
}

/** Each attack with the first harmless text that is answered alike: what is refused at the door is no measure for what is looked for, nor the reverse. */
async function pairUp(operation: Operation, ask: Ask): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const text of SQL_TEXTS)
    for (const [at, hostile] of attacks(operation, text).entries()) {
      const place = `${operation.title}, ${hostile.place}`
      const status = await statusOf(hostile, ask)
      const candidates = harmlessTexts(place, text).flatMap((harmless) => attacks(operation, harmless)[at] ?? [])
      const alike = await firstAnswered(status, candidates, ask)
      const harmless = alike ?? candidates[0]
      if (harmless !== undefined) pairs.push({ place: alike === undefined ? OTHERWISE : place, text, hostile, harmless })
    }
  return pairs
}

/** Times in ms of each pair, one request at a time; in every other round the harmless text goes first. */
async function measure(pairs: readonly Pair[], rounds: number, ask: Ask): Promise<(Pair & Times)[]> {
  const measured = pairs.map((pair) => ({ ...pair, ours: [] as number[], floor: [] as number[] }))
  const msOf = async (attack: Attack) => 1000 * (await secondsOf(async () => await ask(attack)))
  for (let round = 0; round < rounds; round++)
    for (const { hostile, harmless, ours, floor } of measured) {
      if (round % 2 === 1) floor.push(await msOf(harmless))
      ours.push(await msOf(hostile))
      if (round % 2 === 0) floor.push(await msOf(harmless))
    }
  return measured
}

/** All texts of a place as one, round by round. */
function together(times: readonly Times[]): Times {
  const sums = (side: keyof Times) =>
    (times[0]?.[side] ?? []).map((_, round) => times.reduce((sum, each) => sum + (each[side][round] ?? Number.NaN), 0))
  return { ours: sums('ours'), floor: sums('floor') }
}

function highestFirst<Measured extends Times>(measured: readonly Measured[]): Measured[] {
  const ratio = ({ ours, floor }: Times) => median(ours) / median(floor)
  return measured.toSorted((one, other) => ratio(other) - ratio(one))
}

function byPlace(measured: readonly (Pair & Times)[]): ({ place: string; pairs: Pair[] } & Times)[] {
  return [...Map.groupBy(measured, ({ place }) => place)].map(([place, pairs]) => ({ place, pairs, ...together(pairs) }))
}

/** As many rows as make a search cost something; indicators and products as well as CVEs. */
async function fill({ bare, lists, services, addFeed }: BenchBase): Promise<void> {
  await fillCves(bare, CVES)
  await bare.query("update cves set id = $1, configurations = '[]' where id = (select max(id) from cves)", [NAMED_CVE])
  await bare.query(
    "insert into cve_products (vendor, product, keys) select 'v' || n % 2000, 'p' || n, array['p' || n] from generate_series(1, 20000) n",
  )
  lists.publish('list', domainList(VALUES).join('\n'))
  await services.collect.collect(BENCH_ACTOR, await addFeed('list'))
  await bare.query('analyze')
}

const base = await openBenchBase()
try {
  await fill(base)
  const password = randomBytes(16).toString('hex')
  await base.services.accounts.createUser(BENCH_ACTOR, { username: 'attacker', password, role: 'ADMIN' })
  const { access_token } = await base.services.sessions.login(
    { username: 'attacker', password },
    { clientIp: '127.0.0.1', requestId: 'benchmark' },
  )
  const unlimited = { RATE_LIMIT_PER_USER: 0, RATE_LIMIT_PER_ADDRESS: 0, RATE_LIMIT_EXPORTS: 0 }
  const app = await buildApp(base.services, { ...base.config, WEB_DIR: undefined, ...unlimited }, SILENT_LOGGING)
  const ask: Ask = async ({ signedIn, method, url, body }) => {
    const { statusCode } = await app.inject({
      method: method as 'GET',
      url,
      headers: signedIn ? { authorization: `Bearer ${access_token}` } : {},
      ...(body === undefined ? {} : { payload: body }),
    })
    if (statusCode >= 500 || (signedIn && statusCode === 401)) throw new Error(`${method} ${url} answered ${statusCode}.`)
    return statusCode
  }

  const pairs: Pair[] = []
  for (const operation of ATTACKED) pairs.push(...(await pairUp(operation, ask)))
  const measured = await measure(pairs, ROUNDS, ask)
  const places = highestFirst(byPlace(measured.filter(({ place }) => place !== OTHERWISE)))
  const middle = places[Math.floor(places.length / 2)]
  if (middle !== undefined) report(`Middle of ${places.length} places: ${middle.place}`, { ...middle, goal: GOAL, unit: 'ms' })

  const placesAgain = places.slice(0, PLACES_AGAIN).flatMap((place) => place.pairs)
  const [worstPlace] = highestFirst(byPlace(await measure(placesAgain, ROUNDS_AGAIN, ask)))
  if (worstPlace !== undefined) report(`Worst place: ${worstPlace.place}`, { ...worstPlace, goal: GOAL, unit: 'ms' })
  const [worst] = highestFirst(await measure(highestFirst(measured).slice(0, TEXTS_AGAIN), ROUNDS_AGAIN, ask))
  if (worst !== undefined)
    report(`Worst of ${measured.length} answers: ${worst.text} in ${worst.place}`, { ...worst, goal: GOAL, unit: 'ms' })

  const otherwise = measured.filter(({ place }) => place === OTHERWISE)
  if (otherwise.length > 0)
    report(`${otherwise.length} answers that letters do not get`, { ...together(otherwise), goal: GOAL, unit: 'ms' })

  // The price of having no word to look up shows beside the cheapest search; the comparison with frequent words leaves it out.
  const wordless = measured
    .filter(({ place, text }) => place === SEARCH && !isLookedUp(text))
    .map((pair) => ({ ...pair, harmless: { ...pair.harmless, url: '/api/v1/cves?q=zyxv' } }))
  const { ours, floor } = together(await measure(wordless, ROUNDS_AGAIN, ask))
  console.log(
    `  a search without a word to look up ${(median(ours) / wordless.length).toFixed(1)} ms, of a rare word ${(median(floor) / wordless.length).toFixed(1)} ms`,
  )
  await app.close()
} finally {
  await base.close()
}
