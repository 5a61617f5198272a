/** A bracketed dot, colon or at sign with the blanks around it; a backslashed dot; a dot with half of its brackets. Every repetition is bounded, so the search is linear. */
const DEFANGED = /\s{0,4}[[({]\s{0,2}(?:(\.|dot)|(:)|(@|at))\s{0,2}[\])}]\s{0,4}|\\\.|\[\.|\.\]/gi

/** The same in the part of a URL behind its host, where blanks, backslashes and half brackets may be the URL's own. */
const DEFANGED_BEHIND_HOST = /[[({](?:(\.|dot)|(:)|(@|at)|(\/))[\])}]/gi

const MAYBE_DEFANGED = /[[({\]\\]/

/** The text of a name, an address or an e-mail address without its defanging. Source: the forms in use in reports (`[.] (.) {.} [dot] [:] [at] [@] \.`, half brackets). */
export function refang(text: string): string {
  if (!MAYBE_DEFANGED.test(text)) return text
  return text.replace(DEFANGED, (_match, _dot, colon, at) => restored(colon, at))
}

/** User, path and query of a defanged URL without their defanging. */
export function refangBehindHost(text: string): string {
  if (!MAYBE_DEFANGED.test(text)) return text
  return text.replace(DEFANGED_BEHIND_HOST, (_match, _dot, ...[colon, at, slash]) => (slash === undefined ? restored(colon, at) : '/'))
}

function restored(colon: string | undefined, at: string | undefined): string {
  if (colon !== undefined) return ':'
  return at === undefined ? '.' : '@'
}

/** A scheme as it stands before its `://`, the rest, and whether either was defanged. */
export type SplitScheme = { scheme: string; rest: string; defanged: boolean }

/** `scheme://` and its defanged forms: `[:]//`, `[://]`, `:[//]`. No dot in the scheme: what stands there is a host then. */
const SCHEME = /^([a-z*][a-z0-9+*-]{0,30})\s{0,2}((?::|[[(]:[\])])\s{0,2}(?:\/\/|\[\/\/\])|[[(]:\/\/[\])])/i

const DEFANGED_SCHEMES: ReadonlyMap<string, string> = new Map([
  ['hxxp', 'http'],
  ['hxtp', 'http'],
  ['htxp', 'http'],
  ['h**p', 'http'],
  ['hxxps', 'https'],
  ['hxtps', 'https'],
  ['htxps', 'https'],
  ['h**ps', 'https'],
  ['fxp', 'ftp'],
])

/** Splits `hxxp[:]//rest` into `http` and `rest`; undefined when the text does not begin with a scheme and `://`. */
export function splitScheme(text: string): SplitScheme | undefined {
  const match = SCHEME.exec(text)
  if (match === null) return undefined
  const [whole, written = '', separator = ''] = match
  const lower = written.toLowerCase()
  const restoredScheme = DEFANGED_SCHEMES.get(lower)
  const defanged = restoredScheme !== undefined || separator !== '://' || whole.length !== written.length + separator.length
  return { scheme: restoredScheme ?? lower, rest: text.slice(whole.length), defanged }
}
