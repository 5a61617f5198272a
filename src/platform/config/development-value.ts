/** Said only by somebody who means to replace the value. */
const PLACEHOLDERS = [
  ...['changeme', 'changethis', 'changeit', 'changein', 'tobechanged', 'mustchange', 'replaceme', 'replacethis', 'replacewith', 'fixme'],
  ...['placeholder', 'insecure', 'notsecure', 'unsafe', 'yoursecret', 'yourpassword', 'yourkey', 'example', 'dummy', 'sample'],
  ...['development', 'devsecret', 'devkey', 'devpassword', 'letmein', 'foobared', 'qwerty', 'asdfgh', 'zxcvbn'],
]
/** Common in values that people make up; they add nothing to a password. Longest first, so that none hides another. */
const COMMON_WORDS = [
  ...['administrator', 'localhost', 'password', 'passwort', 'database', 'postgres', 'default', 'testing', 'develop', 'svcapp', 'secret'],
  ...['passwd', 'redis', 'admin', 'local', 'guest', 'owner', 'store', 'cache', 'super', 'token'],
  ...[
    'pass',
    'test',
    'demo',
    'root',
    'user',
    'temp',
    'none',
    'null',
    'key',
    'dev',
    'svc',
    'app',
    'foo',
    'bar',
    'abc',
    'pwd',
    'sql',
    'db',
    'pw',
  ],
]
/** Of the common words, those that no random key holds by chance (52^6 spellings). */
const WORDS_IN_KEYS = COMMON_WORDS.filter((word) => word.length >= 6)
const WHOLE_WORDS_IN_KEYS = new Set(['dev', 'test', 'demo', 'local', 'foo', 'bar', 'none', 'null'])
/** What is left of a password without its common words has at least this many characters. Assumption: shorter ones are made up for a trial. */
const PASSWORD_REST_LENGTH = 8
/** Different characters that even 32 random hexadecimal digits have, but for once in a million. */
const KEY_MIN_VARIETY = 8
const PASSWORD_MIN_VARIETY = 5
/** Share of neighbours that follow each other ("abc", "321", "aaa"); random digits stay below a third, so this is no accident. */
const SEQUENCE_SHARE = 2 / 3

const LOOKALIKES: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }

/** True for a signing key that somebody has made up instead of having it made: a placeholder, words, a repetition, a sequence. */
export function isDevelopmentKey(key: string): boolean {
  const lower = key.toLowerCase()
  const spellings = [lettersOf(lower), lettersOf(unmask(lower))]
  const hasWord = [...PLACEHOLDERS, ...WORDS_IN_KEYS].some((word) => spellings.some((spelling) => spelling.includes(word)))
  const hasWholeWord = lower.split(/[^a-z0-9]+/).some((word) => WHOLE_WORDS_IN_KEYS.has(word))
  return hasWord || hasWholeWord || /^(dev|Dev|DEV)/.test(key) || lacksVariety(key, KEY_MIN_VARIETY)
}

/**
 * True for a password that somebody has made up for a trial: a placeholder, or hardly anything but common words and names.
 * @param names that the password stands beside, such as that of the account
 */
export function isDevelopmentPassword(password: string, names: readonly string[] = []): boolean {
  const lower = password.toLowerCase()
  const words = [...names.map((name) => lettersOf(name.toLowerCase())).filter((name) => name.length > 1), ...COMMON_WORDS]
  return (
    [lettersOf(lower), lettersOf(unmask(lower))].some(
      (spelling) => PLACEHOLDERS.some((word) => spelling.includes(word)) || restOf(spelling, words).length < PASSWORD_REST_LENGTH,
    ) || lacksVariety(password, PASSWORD_MIN_VARIETY)
  )
}

function restOf(spelling: string, words: readonly string[]): string {
  return words.reduce((rest, word) => rest.replaceAll(word, ''), spelling)
}

function unmask(text: string): string {
  return [...text].map((character) => LOOKALIKES[character] ?? character).join('')
}

/** Letters and digits; letters of any alphabet count. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

function lacksVariety(text: string, minVariety: number): boolean {
  const characters = [...text]
  if (new Set(characters).size < minVariety || isRepetition(text)) return true
  const codes = characters.map((character) => character.codePointAt(0) ?? 0)
  const following = codes.filter((code, index) => index > 0 && Math.abs(code - (codes[index - 1] ?? 0)) <= 1).length
  return following >= SEQUENCE_SHARE * (codes.length - 1)
}

/** "abcabcab": a part of at most half the length, over and over. */
function isRepetition(text: string): boolean {
  for (let length = 1; length * 2 <= text.length; length++)
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true
  return false
}
