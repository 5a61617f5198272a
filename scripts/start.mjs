// `npm start`: everything that a fresh checkout lacks, then `svc up` with the arguments given.
import { join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { exitWith, findProjectNode, ROOT, readNodeFlags } from './project.mjs'
import { runInPlace } from './run-child.mjs'

try {
  bootstrap()
  runInPlace(findProjectNode() ?? process.execPath, [...readNodeFlags(), join(ROOT, 'bin', 'svc'), 'up', ...process.argv.slice(2)])
} catch (error) {
  exitWith(error)
}
