/** Tables with a partition for each month: server/schema/functions/evidence_months.sql has the steps. */
import type pg from 'pg'
import { runBriefStep } from './brief-step.ts'

/** A large table is read as a whole, beside orders, when its months begin. */
const STEP_TIMEOUT_MS = 6 * 3600_000

type Step = 'add_evidence_month' | 'drop_evidence_month'

/**
 * Adds months ahead and drops those that the operator no longer keeps, one after the other, each in a transaction of its own.
 * Several processes may call it at once. `say` gets each step that was done, and that a step has to wait.
 */
export async function keepMonths(
  pool: pg.Pool,
  tables: readonly string[],
  { say, isStopped }: { say: (done: string) => void; isStopped: () => boolean },
): Promise<void> {
  for (const table of tables)
    for (const step of ['add_evidence_month', 'drop_evidence_month'] as const)
      for (let done: string | null = ''; done !== null && !isStopped();) {
        done = await runStep(pool, step, table)
        if (done !== null) say(done)
      }
}

/** Null: nothing is left to do, or other transactions keep the table; the next round tries again. */
async function runStep(pool: pg.Pool, step: Step, table: string): Promise<string | null> {
  const done = await runBriefStep<string | null>(pool, `${step}($1)`, [table], STEP_TIMEOUT_MS)
  return done === 'locked' ? null : done
}

/** For how many months the database keeps evidence; null: forever. */
export async function readRetention(pool: pg.Pool): Promise<number | null> {
  const { rows } = await pool.query<{ months: number }>('select months from evidence_retention')
  return rows[0]?.months ?? null
}

/** `pool`: of the owner, as the server's user may only read it. */
export async function putRetention(pool: pg.Pool, months: number | undefined): Promise<void> {
  if (months === undefined) await pool.query('delete from evidence_retention')
  else
    await pool.query(
      `insert into evidence_retention (months) values ($1) on conflict (is_only) do update
        set months = excluded.months, set_at = now() where evidence_retention.months <> excluded.months`,
      [months],
    )
}

/** When the last month of a table ends; null before its months begin. */
export async function readLastMonthEnd(pool: pg.Pool, table: string): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'select max(ends_at) as at from evidence_months($1)',
    [table],
  )
  return rows[0]!.at
}
