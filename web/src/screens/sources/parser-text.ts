export type ParserSettings = Record<string, unknown>

/** Reader settings as JSON text to edit; empty when nothing is set. */
export function writeParserText(settings: ParserSettings): string {
  return Object.keys(settings).length === 0 ? '' : JSON.stringify(settings, null, 2)
}

/** The settings in the text. @throws SyntaxError when it is no JSON object */
export function readParserText(text: string): ParserSettings {
  if (text.trim() === '') return {}
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new SyntaxError('not an object')
  return { ...parsed }
}

/** The same without an exception; undefined when the text is no JSON object. */
export function tryParserText(text: string): ParserSettings | undefined {
  try {
    return readParserText(text)
  } catch {
    return undefined
  }
}

/** One setting as the text of its own box; undefined when it needs more than a box. */
export function settingText(settings: ParserSettings, name: string): string | undefined {
  const value = settings[name]
  if (value === undefined || value === null) return ''
  if (name === 'comment' && Array.isArray(value)) return value.every((entry) => typeof entry === 'string') ? value.join(' ') : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** A setting that is on or off; undefined when it is neither. */
export function settingFlag(settings: ParserSettings, name: string): boolean | undefined {
  const value = settings[name] ?? false
  return typeof value === 'boolean' ? value : undefined
}

/** The settings with one of them on, or not set, which is off. */
export function withFlag(settings: ParserSettings, name: string, on: boolean): ParserSettings {
  const { [name]: _before, ...others } = settings
  return on ? { ...others, [name]: true } : others
}

/** The settings with one of them as typed: empty takes it out, a column given as digits is its number. */
export function withSetting(settings: ParserSettings, name: string, typed: string): ParserSettings {
  const { [name]: _before, ...others } = settings
  const text = typed.trim()
  if (text === '') return others
  if (name === 'comment') return { ...others, comment: text.split(/\s+/) }
  return { ...others, [name]: /^\d+$/.test(text) ? Number(text) : text }
}
