/** Steps that change tables beside orders: each in a transaction of its own, which gives up when it gets no lock in time. */
import type pg from 'pg'
import { databaseCode } from './database.ts'

const LOCK_PROBLEMS = new Set(['55P03', '40P01']) // lock timeout, deadlock

/** Other transactions keep what was asked for: the same may work later. */
export const isLockProblem = (error: unknown): boolean =>
  LOCK_PROBLEMS.has(databaseCode(error) ?? '')

/** `call`: of a function in SQL, with its parameters in `values`. Returns its result; 'locked': nothing was changed. */
export async function runBriefStep<Result>(
  pool: pg.Pool,
  call: string,
  values: readonly unknown[],
  timeoutMs: number,
): Promise<Result | 'locked'> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local statement_timeout = ${timeoutMs}`)
    const query = {
      text: `select ${call} as done`,
      values: [...values],
      query_timeout: timeoutMs + 5_000,
    }
    const { rows } = await client.query<{ done: Result }>(query)
    await client.query('commit')
    client.release()
    return rows[0]!.done
  } catch (error) {
    // The connection may still run the step, so it leaves the pool.
    client.release(true)
    if (isLockProblem(error)) return 'locked'
    throw error
  }
}
