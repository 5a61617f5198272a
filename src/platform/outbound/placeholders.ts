import { DomainError } from '#kernel/errors.ts'
import { PLACEHOLDER } from './url-rules.ts'

/** What a masked secret is replaced by. */
const MASK = '***'
/** Shorter texts are no secrets, and masking them would eat ordinary words. Assumption. */
const SECRET_MIN_CHARACTERS = 3
/** Base64 of fewer characters than this occurs by chance. Assumption. */
const BASE64_MIN_CHARACTERS = 4

/** The names of the placeholders in a template, each once, in order. */
export function placeholderNames(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
}

/**
 * The template with each `{NAME}` replaced by the URL-encoded access key of that name.
 *
 * Source: docs/decisions/0005. @param keys values of the settings `FEED_KEY_<NAME>`, by NAME
 * @throws feed_key_missing naming the setting
 */
export function fillPlaceholders(template: string, keys: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => {
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined
    if (key === undefined || key === '')
      throw new DomainError('feed_key_missing', `The address needs an access key. Set FEED_KEY_${name} and restart.`)
    return encodeURIComponent(key)
  })
}

/** A function that replaces every form of every secret in a text: plain, URL-encoded, base64 at any alignment, hexadecimal, as JSON. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= SECRET_MIN_CHARACTERS).flatMap(secretForms))]
  if (forms.length === 0) return (text) => text
  // Longest first, so that a form which contains another is replaced whole. Host names arrive in lower case, hence `i`.
  const pattern = new RegExp(
    forms
      .sort((a, b) => b.length - a.length)
      .map(escapePattern)
      .join('|'),
    'gi',
  )
  return (text) => text.replace(pattern, MASK)
}

function secretForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret)
  const bytes = Buffer.from(secret, 'utf8')
  return [
    secret,
    encoded,
    encoded.replaceAll('%20', '+'),
    // The URL parser encodes a few more characters in a query, and fewer in a path.
    encoded.replaceAll("'", '%27'),
    encodeURI(secret),
    encodeURIComponent(encoded),
    decodedForm(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((offset) => base64Core(bytes, offset)),
  ].filter((form) => form.length >= SECRET_MIN_CHARACTERS)
}

function decodedForm(secret: string): string {
  try {
    return decodeURIComponent(secret)
  } catch {
    return secret
  }
}

/** The characters of the base64 form that do not depend on what stands before and after the secret, in both alphabets. */
function base64Core(bytes: Buffer, offset: number): string[] {
  const start = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  const core = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .slice(start, end)
  if (core.length < BASE64_MIN_CHARACTERS) return []
  const urlSafe = core.replaceAll('+', '-').replaceAll('/', '_')
  return [core, urlSafe, encodeURIComponent(core)]
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
