import type { Database } from './database.ts'

/** Beyond the server's limit, which gives the better message. */
const GRACE_MS = 5_000

/**
 * Asks a question that only reads, at one moment of the database, and gives it `mostMs` instead of the limit of every other statement.
 * For what goes through all books and that somebody waits for knowingly.
 */
export async function queryWithTimeout<Row extends object>(
  { pool }: Database,
  text: string,
  mostMs: number,
): Promise<Row[]> {
  const client = await pool.connect()
  try {
    await client.query('begin read only')
    await client.query(`set local statement_timeout = ${mostMs}`)
    const question = { text, query_timeout: mostMs + GRACE_MS }
    const { rows } = await client.query<Row>(question)
    await client.query('commit')
    client.release()
    return rows
  } catch (error) {
    // What it is still at is not for anybody else.
    client.release(true)
    throw error
  }
}
