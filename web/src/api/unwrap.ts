import { problemOf } from './problem.ts'

type Answer<Data> = { data?: Data; error?: unknown; response: Response }

/** The body of a successful answer. @throws ApiProblem for everything else */
export async function unwrap<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request
  if (!response.ok) throw problemOf(response, error)
  // A 204 has no body and its Data type is undefined; the cast says what the generated types promise.
  return data as Data
}
