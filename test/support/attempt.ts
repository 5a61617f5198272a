import pg from 'pg'

/** Runs a statement on a session of its own, commits, and leaves nothing open. @returns what the database refused it with */
export async function attempt(url: string, statement: string): Promise<pg.DatabaseError | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
    await client.query('commit')
    return undefined
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error
    throw error
  } finally {
    await client.end()
  }
}
