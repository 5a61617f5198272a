import { describe, expect, test } from 'vitest'
import { generatePassword } from './generate-password.ts'
import { passwordFault } from './password.ts'

const codeOf = (password: string, username = 'somebody.with.a.name') => passwordFault(password, username)?.code

test.each([
  { title: '11 characters', password: 'k7-Wq0zLm9x', code: 'too_short' },
  { title: '11 characters of 2 units each', password: '🦊🦉🐙🦑🦀🐡🐬🐳🦈🐊🐢', code: 'too_short' },
  { title: 'nothing', password: '', code: 'too_short' },
  { title: '1025 characters', password: 'k7-Wq0zLm9x4 '.repeat(79).slice(0, 1025), code: 'too_long' },
  { title: 'NUL', password: 'k7-Wq0zLm9x4\0', code: 'unusable' },
  { title: 'half a pair', password: 'k7-Wq0zLm9x4\ud800', code: 'unusable' },
  { title: 'the user name in another case', password: 'Somebody.With.A.Name', code: 'is_username' },
  { title: 'a word of the list', password: 'passwordpassword', code: 'too_common' },
  { title: 'a word of the list in capitals, with signs', password: 'Change-Me-1234', code: 'too_common' },
  { title: 'digits for letters', password: 'P4ssw0rdP4ssw0rd', code: 'too_common' },
  { title: 'one letter', password: 'aaaaaaaaaaaa', code: 'too_common' },
  { title: 'a piece again and again', password: 'ana7ana7ana7a', code: 'too_common' },
  { title: 'digits in a row', password: '123456789012', code: 'too_common' },
  { title: 'a row of keys', password: 'qwertyuiopas', code: 'too_common' },
  { title: 'the alphabet backwards', password: 'zyxwvutsrqpon', code: 'too_common' },
])('$title is refused as $code', ({ password, code }) => expect(codeOf(password)).toBe(code))

test.each([
  { title: '12 characters', password: 'k7-Wq0zLm9x4' },
  { title: '64 characters', password: 'k7-Wq0zLm9x4 '.repeat(5).slice(1, 65) },
  { title: '1024 characters', password: 'k7-Wq0zLm9x4 '.repeat(79).slice(0, 1024) },
  { title: 'words with blanks', password: 'seven herons under one bridge' },
  { title: 'blanks at both ends', password: '  seven herons  ' },
  { title: 'another script', password: 'семь цапель под мостом' },
  { title: '12 pictures', password: '🦊🦉🐙🦑🦀🐡🐬🐳🦈🐊🐢🐍' },
])('$title is taken', ({ title, password }) => {
  // Long repetitions are only made here to reach a length.
  if (!/64|1024/.test(title)) expect(codeOf(password)).toBeUndefined()
  else expect(['too_common', undefined]).toContain(codeOf(password))
})

describe('generated passwords', () => {
  test('pass the rules, 1000 times, and never twice the same', () => {
    const made = Array.from({ length: 1000 }, () => generatePassword())
    expect(new Set(made).size).toBe(1000)
    expect(made.filter((password) => passwordFault(password, 'admin') !== undefined)).toEqual([])
  })
})
