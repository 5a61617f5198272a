import { readFileSync, statSync } from 'node:fs'
import { CannotRun } from './cannot-run.ts'

/** Values from the command line: `-` reads standard input, one name of an existing file reads that file, anything else is a value itself. */
export async function readValues(given: readonly string[]): Promise<string[]> {
  const [first] = given
  if (first === undefined || first === '-') return toLines(await readStandardInput())
  if (given.length === 1 && isFile(first)) return toLines(readText(first))
  return [...given]
}

/** The first line of standard input, for a password. */
export async function readFirstLine(): Promise<string> {
  return (await readStandardInput()).split(/\r?\n/)[0] ?? ''
}

async function readStandardInput(): Promise<string> {
  process.stdin.setEncoding('utf8')
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return text
}

/** One value a line; blank lines and comments are none. */
export function toLines(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CannotRun(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      'check the name and the rights of the file',
    )
  }
}
