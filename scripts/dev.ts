// `npm run dev`: the service, restarted when its source changes, and the web interface with hot reloading, in one terminal.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')

function start(args: string[], folder: string): ChildProcess {
  return spawn(process.execPath, args, { cwd: folder, stdio: 'inherit' })
}

const watched = [join(ROOT, 'src'), join(ROOT, 'migrations')].flatMap((path) => ['--watch-path', path])
const parts = [
  start([...watched, '--watch-preserve-output', join(ROOT, 'bin', 'svc'), 'up', ...process.argv.slice(2)], ROOT),
  start([VITE], join(ROOT, 'web')),
]

let ending = false
function end(): void {
  if (ending) return
  ending = true
  for (const part of parts) part.kill('SIGTERM')
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
// One without the other is of no use.
for (const part of parts)
  part.on('exit', (code) => {
    if (!ending) process.exitCode = code ?? 1
    end()
  })
