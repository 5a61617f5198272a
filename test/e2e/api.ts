import { inject } from 'vitest'

export type Answer = { status: number; body: Record<string, unknown> }

/** Calls the product as `username` would from a program, with a session of its own that ends afterwards. */
export async function asUser<Result>(username: string, act: (call: ApiCall) => Promise<Result>): Promise<Result> {
  const { url, password } = inject('product')
  const form = new URLSearchParams({ username, password })
  const login = await fetch(`${url}/api/v1/auth/token`, { method: 'POST', body: form })
  const { access_token: token } = (await login.json()) as { access_token: string }
  const call: ApiCall = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>) }
  }
  try {
    return await act(call)
  } finally {
    await call('POST', '/auth/logout', {})
  }
}

export type ApiCall = (method: string, path: string, body?: unknown) => Promise<Answer>

type ListedUser = { id: string; username: string; version: number; status: string }

/** The account of this name, made when it is not there yet. */
export async function userOf(call: ApiCall, username: string, role = 'VIEWER'): Promise<ListedUser> {
  await call('POST', '/users', { username, role, password: inject('product').password })
  const { body } = await call('GET', '/users?limit=200')
  const found = (body['items'] as ListedUser[]).find((user) => user.username === username)
  if (found === undefined) throw new Error(`There is no account ${username}.`)
  return found
}
