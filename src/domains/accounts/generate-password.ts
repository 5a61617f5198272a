import { randomInt } from 'node:crypto'

/** Letters and digits that no font makes look alike; no sign that would end a word when it is marked with a double click. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** 20 of 56 characters: 116 bits. */
const LENGTH = 20

/** A password for a person to copy once. */
export function generatePassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
}
