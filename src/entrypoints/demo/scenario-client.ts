import { CannotRun } from '#platform/cli/cannot-run.ts'

/** One request may take this long, milliseconds. Assumption: a laptop that is busy. */
const REQUEST_MS = 15_000

/** An answer of the API, as an analyst's script reads it. */
export type ApiAnswer = { status: number; body: unknown }
export type ScenarioClient = {
  /** @throws CannotRun when nothing answers */
  ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<ApiAnswer>
  logIn(username: string, password: string): Promise<void>
  logOut(): Promise<void>
}

/** Talks to the API of a running service, as any other client. @param url of the service */
export function createScenarioClient(url: string): ScenarioClient {
  let token: string | undefined
  let refreshToken: string | undefined

  async function send(method: string, path: string, content: { type: string; text: string } | undefined): Promise<ApiAnswer> {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined ? {} : { 'content-type': content.type }),
    }
    const body = content === undefined ? {} : { body: content.text }
    try {
      const answer = await fetch(new URL(`/api/v1${path}`, url), { method, headers, ...body, signal: AbortSignal.timeout(REQUEST_MS) })
      const isJson = answer.headers.get('content-type')?.includes('json') === true
      return { status: answer.status, body: isJson ? await answer.json() : await answer.text() }
    } catch {
      throw new CannotRun(`No answer from ${url}.`, 'svc up, and then this command again on the same data folder')
    }
  }

  return {
    async ask(method, path, body) {
      return await send(method, path, body === undefined ? undefined : { type: 'application/json', text: JSON.stringify(body) })
    },
    async logIn(username, password) {
      const text = new URLSearchParams({ username, password }).toString()
      const { status, body } = await send('POST', '/auth/token', { type: 'application/x-www-form-urlencoded', text })
      const tokens = body as { access_token?: string; refresh_token?: string }
      if (status !== 200 || tokens.access_token === undefined)
        throw new CannotRun(`${url} does not let the account of this data folder in.`, 'run the command on the data folder of that service')
      token = tokens.access_token
      refreshToken = tokens.refresh_token
    },
    async logOut() {
      if (refreshToken !== undefined)
        await send('POST', '/auth/logout', { type: 'application/json', text: JSON.stringify({ refresh_token: refreshToken }) })
    },
  }
}
