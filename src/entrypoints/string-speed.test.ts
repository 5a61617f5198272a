import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// A class that extends String, anywhere in the process, takes a promise from V8 on which its fast work on text rests: reading feeds then takes
// twice as long. See docs/decisions/0022. The function is V8's own, for its tests.
const QUESTION = (module: string) => `import(${JSON.stringify(module)}).then(() => console.log(%StringWrapperToPrimitiveProtector()))`

function isIntactWith(module: string): string {
  return execFileSync(process.execPath, ['--allow-natives-syntax', '-e', QUESTION(module)], {
    encoding: 'utf8',
    env: { SVC_ENV_FILE: '' },
  }).trim()
}

test.each(['./services.ts', './api/build-app.ts', './worker/start-worker.ts', './up/up.ts', './cli/program.ts'])(
  'text stays fast with everything that %s loads',
  (module) => {
    expect(isIntactWith(fileURLToPath(new URL(module, import.meta.url)))).toBe('true')
  },
)

test('a class that extends String would be noticed', () => {
  expect(isIntactWith('data:text/javascript,class Word extends String {}')).toBe('false')
})
