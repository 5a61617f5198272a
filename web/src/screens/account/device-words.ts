/** Browsers by their mark in a user agent; the first that fits wins, since most of them name the others as well. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\/([0-9]+)/, 'Edge'],
  [/\bOPR\/([0-9]+)/, 'Opera'],
  [/\bFirefox\/([0-9]+)/, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/([0-9]+)/, 'Chrome'],
  [/\bVersion\/([0-9]+)/, 'Safari'],
  [/\bcurl\/([0-9.]+)/, 'curl'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
/** Characters of an unknown program's own name. Assumption: fits a table cell. */
const NAME_MAX = 40

/** `Firefox 128 on Linux`; the program's own name when it is no known browser; undefined without a user agent. */
export function deviceWords(userAgent: string | null): string | undefined {
  const text = userAgent?.trim() ?? ''
  if (text === '') return undefined
  for (const [mark, name] of BROWSERS) {
    const version = mark.exec(text)?.[1]
    if (version === undefined) continue
    const system = SYSTEMS.find(([sign]) => sign.test(text))?.[1]
    return system === undefined ? `${name} ${version}` : `${name} ${version} on ${system}`
  }
  return text.length > NAME_MAX ? `${text.slice(0, NAME_MAX - 1)}…` : text
}
