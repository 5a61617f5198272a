import { createInterface } from 'node:readline/promises'
import { CannotRun } from './cannot-run.ts'

/** Asks before something is taken away. Without a terminal there is nobody to ask: then `--yes` has to be said. @throws CannotRun */
export async function confirm(question: string, yes: boolean, signal: AbortSignal): Promise<boolean> {
  if (yes) return true
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    throw new CannotRun('This takes something away, and there is no terminal to ask at.', 'the same command with --yes')
  const dialogue = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await dialogue.question(`${question} [y/N] `, { signal })).trim())
  } finally {
    dialogue.close()
  }
}
