/**
 * Ledger and reference run the same steps, correct and incorrect ones, in any order: both record
 * the same and refuse the same. Then the schema's safeguards are removed one at a time, and each
 * time the run must fail: a safeguard that no test misses is not tested.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findViolations } from '#server/ledger/service.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { LONG_MINUTES, runSeeds, SEED, timeoutFor } from '#tests/support/seeded-runs.ts'
import {
  expectForbiddenRefused,
  ledgerRuns,
  checkStatements,
  createLedgerRun,
} from './ledger-steps.ts'
import { MUTANTS } from './schema-mutants.ts'

/** Rules that hold for a ledger without labels and invoices. */
const LEDGER_RULES = [
  'balance-equals-journal',
  'totals-equal-journal',
  'balance-not-negative',
  'adjustment-explained',
]

const ledgerProperty = (database: TestDatabase) =>
  fc.asyncProperty(ledgerRuns, async steps => {
    const { model, real } = await createLedgerRun(database)
    await fc.asyncModelRun(() => ({ model, real }), steps)
    await checkStatements(model, real)
    await expectForbiddenRefused(real)
  })

async function withClone<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const { database, drop } = await cloneDatabase()
  return work(database).finally(drop)
}

test(
  'ledger and reference agree on every step and every cent',
  { timeout: timeoutFor(900_000) },
  () =>
    runSeeds(seed =>
      withClone(async database => {
        await fc.assert(ledgerProperty(database), { seed, numRuns: LONG_MINUTES > 0 ? 100 : 10 })
        expect(
          (await findViolations(database.db)).filter(({ rule }) => LEDGER_RULES.includes(rule)),
        ).toEqual([])
      }),
    ),
)

test.each(MUTANTS)('without %s the model test fails', (_, statement) =>
  withClone(async database => {
    await database.owner.pool.query(statement)
    const { failed } = await fc.check(ledgerProperty(database), {
      seed: SEED,
      numRuns: 200,
      endOnFailure: true,
    })
    expect(failed, `not noticed with EVENPOST_SEED=${SEED}`).toBe(true)
  }),
)
