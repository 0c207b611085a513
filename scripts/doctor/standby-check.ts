/** The doctor's check of the server of DATABASE_READ_URL. */
import pg from 'pg'
import type { Finding } from './data-checks.ts'

const ANSWER_MS = 5_000

export async function checkStandby(url: string): Promise<Finding> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'evenpost doctor',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  try {
    await client.connect()
    await client.query('select from transfer limit 1')
    return { isOk: true, text: 'Standby: the server named by DATABASE_READ_URL can be read' }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return {
      isOk: false,
      text:
        `Standby: the server named by DATABASE_READ_URL cannot be read (${message || code}), `
        + 'and statements and reports are read from the primary. Correct the address, or leave it out.',
    }
  } finally {
    await client.end().catch(() => {})
  }
}
