import { expect, test } from 'vitest'
import { DomainError } from '#kernel/errors.ts'
import { CannotRun } from './cannot-run.ts'
import { createOutput } from './output.ts'
import { reportError } from './report-error.ts'

function report(error: unknown, debug = false) {
  let stderr = ''
  const out = createOutput({
    stdout: { write: () => expect.fail('An error is no data.') },
    stderr: {
      write: (text) => {
        stderr += text
      },
    },
    noColor: true,
  })
  reportError(out, error, debug)
  return { code: out.exitCode, stderr }
}

const refusedConnection = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })

// biome-ignore format: one case per line
test.each([
  { title: 'a refusal is a failure',                                  error: new DomainError('not_found', 'No such feed.'),        code: 1, says: 'error: No such feed.' },
  { title: 'a taken data folder means that it cannot run',            error: new DomainError('data_dir_in_use', 'In use.'),        code: 2, says: 'error: In use.' },
  { title: 'a missing setting points to svc config',                  error: new DomainError('setting_invalid', 'PORT is wrong.'), code: 2, says: 'next: svc config' },
  { title: 'what cannot run says what to do first',                   error: new CannotRun('Nothing here.', 'svc up'),             code: 2, says: 'next: svc up' },
  { title: 'an unreachable database means that it cannot run',        error: refusedConnection,                                    code: 2, says: 'next: check DATABASE_URL' },
  { title: 'the reason inside a row of attempts counts',              error: new AggregateError([refusedConnection]),              code: 2, says: 'ECONNREFUSED' },
  { title: 'a missing table means that the schema is behind',         error: Object.assign(new Error('relation'), { code: '42P01' }), code: 2, says: 'next: svc db upgrade' },
  { title: 'what nobody foresaw is a failure and points to --debug',  error: new TypeError('x is undefined'),                      code: 1, says: '--debug' },
])('$title', ({ error, code, says }) => {
  const reported = report(error)
  expect(reported.code).toBe(code)
  expect(reported.stderr).toContain(says)
})

test('a stack is shown to those who ask for it only', () => {
  expect(report(new TypeError('x')).stderr).not.toContain('report-error.test.ts')
  expect(report(new TypeError('x'), true).stderr).toContain('report-error.test.ts')
})

test('each refused field is named', () => {
  const error = new DomainError('validation_failed', 'Two fields are wrong.', [
    { field: 'name', code: 'required', message: 'Give a name.' },
  ])
  expect(report(error).stderr).toContain('name: Give a name.')
})
