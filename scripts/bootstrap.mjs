import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installDependencies } from './dependencies.mjs'
import { exitWith, ROOT, say } from './project.mjs'
import { buildWeb } from './web-build.mjs'

/** Brings a checkout to the point where it runs: dependencies, Node 24, the built web. Says nothing when there is nothing to do. @throws CannotRun */
export function bootstrap({ root = ROOT, web = true } = {}) {
  installDependencies(root, say)
  if (web) buildWeb(root, say)
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url))) {
  try {
    bootstrap()
  } catch (error) {
    exitWith(error)
  }
}
