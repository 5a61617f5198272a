import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { check } from 'recheck'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

// Each expression of the build is judged twice: by a checker that works out whether it can backtrack, and by attacks with texts that match it up
// to some place and then repeat a piece of themselves, and with one character over and over. What backtracks shows in the time.
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHARS = 64 * 1024
/** Source: docs/promises.md, D18. Processor time of this thread, so that a busy machine changes nothing. */
const LIMIT_MS = 50
/** An expression that takes this long is ended, milliseconds. */
const CUT_OFF_MS = 500
/** The checker's patience with one expression, milliseconds; the longest takes a tenth of it. */
const CHECK_MS = 120_000
const SAMPLES = 2
const PIECES = 8
const SEED = 4711

type Found = { source: string; flags: string; files: string[] }

function findExpressions(): Found[] {
  const found = new Map<string, Found>()
  const files = globSync(['src/**/*.ts', 'web/src/**/*.ts', 'web/src/**/*.tsx'], { cwd: ROOT }).filter(
    (file) => !/\.(test|test-support)\./.test(file),
  )
  for (const file of files) {
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        const known = found.get(node.text) ?? { source: node.text.slice(1, end), flags: node.text.slice(end + 1), files: [] }
        found.set(node.text, { ...known, files: [...known.files, file] })
      }
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, readFileSync(`${ROOT}/${file}`, 'utf8'), ts.ScriptTarget.Latest, false, kind))
  }
  return [...found.values()]
}

const COMMON = [
  'a',
  'A',
  '0',
  'f',
  ' ',
  '\t',
  '.',
  '-',
  '_',
  '/',
  ':',
  '@',
  '[',
  '{',
  '(',
  ']',
  '\\',
  '"',
  '=',
  '?',
  '&',
  ',',
  'é',
  '\u3002',
  '\n',
]

/** Texts that match, or nearly: from the expression itself where fast-check reads it, else from its own letters. */
function samplesOf({ source, flags }: Found): string[] {
  const letters = source.replace(/\\[a-zA-Z]|[()[\]{}*+?^$|\\]/g, '').slice(0, 40)
  try {
    // Lower and upper case are the same attack; other flags do not change what is generated.
    return [...fc.sample(fc.stringMatching(new RegExp(source, flags.includes('u') ? 'u' : '')), { numRuns: SAMPLES, seed: SEED }), letters]
  } catch {
    return [letters]
  }
}

function* attacksOn(expression: Found, chars: number): Generator<string> {
  for (const char of COMMON) {
    yield char.repeat(chars)
    yield `${char.repeat(chars)}\u0000`
  }
  for (const sample of samplesOf(expression)) {
    const step = Math.max(1, Math.ceil(sample.length / PIECES))
    for (let at = 0; at < sample.length; at += step)
      for (const width of [1, 3]) {
        const piece = sample.slice(at, at + width)
        yield `${sample.slice(0, at)}${piece.repeat(Math.ceil(chars / piece.length))}\u0000`
      }
  }
}

const context = createContext({ expression: /a/, text: '' })
// `replace` looks for every match; where there is none it has looked everywhere once.
const attack = new Script("text.replace(expression, '').length")

/** Processor time of one attack, milliseconds; the cut-off when it had to be ended. */
function cost(expression: RegExp, text: string): number {
  Object.assign(context, { expression, text })
  const before = process.threadCpuUsage()
  try {
    attack.runInContext(context, { timeout: CUT_OFF_MS })
  } catch {
    return CUT_OFF_MS
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The longest that any attack took, the best of three each. */
function worstCost(found: Found, chars: number): { ms: number; text: string } {
  const expression = new RegExp(found.source, found.flags)
  let worst = { ms: 0, text: '' }
  for (const text of attacksOn(found, chars)) {
    let ms = cost(expression, text)
    for (let again = 0; again < 2 && ms > LIMIT_MS && ms < CUT_OFF_MS; again++) ms = Math.min(ms, cost(expression, text))
    if (ms > worst.ms) worst = { ms, text: `${text.slice(0, 40)}… (${text.length} characters)` }
    if (ms > LIMIT_MS) return worst
  }
  return worst
}

describe('D18: no regular expression of the build can be made to run long', () => {
  const expressions = findExpressions()

  test('the expressions are found', () => {
    expect(expressions.length).toBeGreaterThan(150)
    expect(expressions.flatMap(({ files }) => files)).toContain('src/platform/outbound/url-rules.ts')
  })

  test('the attacks find what they are meant to find', () => {
    expect(worstCost({ source: '(a+)+$', flags: '', files: [] }, CHARS).ms).toBeGreaterThan(LIMIT_MS)
    expect(worstCost({ source: 'x[0-9]+[0-9]+y', flags: '', files: [] }, CHARS).ms).toBeGreaterThan(LIMIT_MS)
    expect(worstCost({ source: '=+$', flags: '', files: [] }, CHARS).ms).toBeGreaterThan(LIMIT_MS)
  })

  test('the checker finds what it is meant to find', async () => {
    expect(await check('(a+)+$', '')).toMatchObject({ status: 'vulnerable' })
    expect(await check('[^@]*@', 'g')).toMatchObject({ status: 'vulnerable' })
  })

  test.each(expressions.map((found) => [`/${found.source}/${found.flags}`, found] as const))(
    '%s',
    async (_text, found) => {
      const { status } = await check(found.source, found.flags, { timeout: CHECK_MS })
      expect(status, `${found.files.join(', ')}, says the checker`).toBe('safe')
      const { ms, text: worst } = worstCost(found, CHARS)
      expect(ms, `${found.files.join(', ')} on ${worst}`).toBeLessThan(LIMIT_MS)
    },
    CHECK_MS,
  )
})
