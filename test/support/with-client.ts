import pg from 'pg'

/** Runs statements, several at once if they are written so, in one session on the address. @param work gets the rows of each */
export async function withClient<Result>(
  address: string,
  work: (run: (statement: string, values?: unknown[]) => Promise<Record<string, unknown>[]>) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: address, application_name: 'test' })
  await client.connect()
  try {
    return await work(async (statement, values) => {
      const result = await client.query(values === undefined ? statement : { text: statement, values })
      return result.rows
    })
  } finally {
    await client.end()
  }
}
