/**
 * Steps on the ledger, applied to the reference and to the product, several times at once like a
 * double click. They must agree on whether a step is recorded, and on every cent and entry
 * afterwards.
 */
import fc from 'fast-check'
import type { AsyncCommand } from 'fast-check'
import { expect } from 'vitest'
import { cents } from '#contract/money.ts'
import { adjustBalanceTo } from '#server/ledger/adjustment.ts'
import { transferKeys } from '#server/ledger/rules.ts'
import {
  credit,
  hold,
  lockWallets,
  refund,
  settle,
  statementOf,
  walletsOf,
} from '#server/ledger/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { databaseCode } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { FORBIDDEN_STATEMENTS } from './forbidden-statements.ts'
import { enterStep, openReferenceLedger } from './reference-ledger.ts'
import type { ReferenceLedger, LedgerEntry } from './reference-ledger.ts'

/** Two customers and the labels of one run. Each run has its own numbers of labels and invoices. */
export type LedgerRun = { database: TestDatabase; owners: [number, number]; first: number }

type Step = AsyncCommand<ReferenceLedger, LedgerRun, true>

/** How many numbers a run may use for labels, invoices and audit entries. */
const NUMBERS = 1_000
let tables = 0

/** A new run: two customers without money. */
export async function createLedgerRun(
  database: TestDatabase,
): Promise<{ model: ReferenceLedger; real: LedgerRun }> {
  const first = ++tables * NUMBERS
  const owners: [number, number] = [
    await newUser(database, `ana-${first}`),
    await newUser(database, `ben-${first}`),
  ]
  return { model: openReferenceLedger(owners), real: { database, owners, first } }
}

/** What the ledger answers to what is wrong; anything else is a fault. */
function isRefused(error: unknown): boolean {
  const code = databaseCode(error)
  return (
    error instanceof Refusal
    || (error instanceof Error && error.message.includes('exists with other content'))
    || (code !== undefined && /^23(001|502|503|505|514)$/.test(code))
  )
}

/** Compares these customers' accounts with the reference. */
async function compareLedgers(
  { wallets, entries }: ReferenceLedger,
  { database, owners }: LedgerRun,
  after: string,
): Promise<void> {
  const { rows: written } = await database.pool.query<{ entry: string }>(
    `select owner_id || ' ' || key || ' ' || kind || ' ' || cents as entry from transfer where owner_id = any($1)`,
    [owners],
  )
  expect(written.map(({ entry }) => entry).toSorted(), `entries after ${after}`).toEqual(
    Array.from(entries, ([key, { kind, cents: amount }]) => `${key} ${kind} ${amount}`).toSorted(),
  )
  const there = await walletsOf(database.db, owners)
  for (const owner of owners)
    expect(there.get(owner), `wallet of ${owner} after ${after}`).toMatchObject(wallets.get(owner)!)
}

/** At the end, each customer's statement adds up to the balance, entry by entry. */
export async function checkStatements(
  { wallets }: ReferenceLedger,
  { database, owners }: LedgerRun,
): Promise<void> {
  for (const owner of owners) {
    const { entries } = await statementOf(database.db, owner, 1, 1_000)
    let balance = wallets.get(owner)!.available
    for (const entry of entries) {
      expect(entry.balance, `balance in the statement of ${owner}`).toBe(balance)
      balance -= entry.amount
    }
    expect(balance, `what the statement of ${owner} began with`).toBe(0)
  }
}

/** `news`: entries that were new for this call, where the call says so. */
type StepInput = {
  description: string
  times: number
  entries: LedgerEntry[]
  apply: (tx: Tx) => Promise<number | void>
}

function step(said: string, read: (model: ReferenceLedger, real: LedgerRun) => StepInput): Step {
  return {
    check: async () => true,
    toString: () => said,
    async run(model, real) {
      const { description: exactly, times, entries, apply } = read(model, real)
      const wanted = enterStep(model, entries)
      const answers = await Promise.allSettled(
        Array.from({ length: times }, () => real.database.tx(apply)),
      )
      for (const answer of answers) {
        if (answer.status === 'rejected' && !isRefused(answer.reason)) throw answer.reason
        expect(answer.status === 'fulfilled', `${exactly} is entered`).toBe(wanted !== 'refused')
      }
      const news = answers
        .map(answer => (answer.status === 'fulfilled' ? answer.value : undefined))
        .filter(n => n !== undefined)
      if (news.length > 0)
        expect(
          news.reduce((sum, n) => sum + n, 0),
          `new by ${exactly}`,
        ).toBe(wanted)
      await compareLedgers(model, real, exactly)
    },
  }
}

const who = fc.nat({ max: 1 }) as fc.Arbitrary<0 | 1>
const label = fc.nat({ max: 3 })
const round = fc.constantFrom(1, 1, 1, 2, 2, 3)
const amount = fc.constantFrom(-1, 0, 1, 1, 2, 2, 2, 3, 5)
const times = fc.constantFrom(1, 1, 3)

const deposits = fc
  .record({ who, n: fc.nat({ max: 20 }), amount: fc.constantFrom(-5, 0, 5, 5, 10), times })
  .map(({ who, n, amount, times }) =>
    step(`deposit ${n} of ${amount} for ${who}, ${times} times`, (_, { owners, first }) => {
      const [ownerId, id] = [owners[who], first + n]
      const invoice = { id, provider: 'sandbox', externalId: String(id), n: 1 }
      return {
        description: `deposit ${id}`,
        times,
        entries: [
          {
            ownerId,
            kind: 'deposit',
            cents: amount,
            key: transferKeys.deposit('sandbox', String(id), 1),
          },
        ],
        apply: async tx => ((await credit(tx, ownerId, cents(amount), invoice)) ? 1 : 0),
      }
    }),
  )

const holds = fc
  .record({ who, label, round, amount, times, inBatch: fc.boolean() })
  .map(({ who, label, round, amount, times, inBatch }) =>
    step(
      `hold ${amount} of ${who} for ${inBatch ? 'batch' : 'label'} ${label}, round ${round}, ${times} times`,
      (_, { owners, first }) => {
        const [ownerId, id] = [owners[who], first + label]
        const key = inBatch ? transferKeys.holdBatch(id, round) : transferKeys.holdOrder(id, round)
        return {
          description: key,
          times,
          entries: [{ ownerId, kind: 'hold', cents: amount, key }],
          apply: tx =>
            hold(
              tx,
              ownerId,
              cents(amount),
              inBatch ? { batchId: id, submission: round } : { orderId: id, round },
            ),
        }
      },
    ),
  )

const settlement = fc.record({ who, label, round, amount, bought: fc.boolean() })
// Mostly of different labels, as those of a batch; also of one label twice.
const labels = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.uniqueArray(settlement, {
      selector: one => one.label,
      minLength: 1,
      maxLength: 4,
      size: 'max',
    }),
  },
  { weight: 1, arbitrary: fc.array(settlement, { minLength: 2, maxLength: 3, size: 'max' }) },
)
const settlements = fc.record({ many: labels, times }).map(({ many, times }) =>
  step(`settle ${JSON.stringify(many)}, ${times} times`, (_, { owners, first }) => {
    const settling = many.map(one => ({
      ownerId: owners[one.who],
      orderId: first + one.label,
      batchId: null,
      round: one.round,
      price: cents(one.amount),
      bought: one.bought,
    }))
    return {
      description: JSON.stringify(settling),
      times,
      entries: settling.map(({ ownerId, orderId, round, price, bought }) => ({
        ownerId,
        orderId,
        round,
        cents: price,
        kind: bought ? 'capture' : 'release',
        key: bought ? transferKeys.capture(orderId, round) : transferKeys.release(orderId, round),
      })),
      apply: async tx => {
        await lockWallets(
          tx,
          settling.map(({ ownerId }) => ownerId),
        )
        await settle(tx, settling)
      },
    }
  }),
)

const refunds = fc.record({ who, label, amount, times }).map(({ who, label, amount, times }) =>
  step(`refund ${amount} to ${who} for label ${label}, ${times} times`, (_, { owners, first }) => {
    const [ownerId, orderId] = [owners[who], first + label]
    return {
      description: transferKeys.refund(orderId),
      times,
      entries: [
        { ownerId, orderId, kind: 'refund', cents: amount, key: transferKeys.refund(orderId) },
      ],
      apply: async tx => {
        await lockWallets(tx, [ownerId])
        await refund(tx, [{ ownerId, orderId, batchId: null, round: 1, price: cents(amount) }])
      },
    }
  }),
)

const adjustments = fc
  .record({ who, wanted: fc.integer({ min: -1, max: 20 }), times })
  .map(({ who, wanted, times }) =>
    step(`set the balance of ${who} to ${wanted}, ${times} times`, (model, { owners, first }) => {
      const ownerId = owners[who]
      // Each is told under a line of the audit of its own.
      const entry = first * NUMBERS + model.entries.size
      const difference = wanted - model.wallets.get(ownerId)!.available
      return {
        description: `${ownerId} set to ${wanted}`,
        times,
        entries:
          difference === 0
            ? []
            : [
                {
                  ownerId,
                  kind: difference > 0 ? 'adjust_up' : 'adjust_down',
                  cents: Math.abs(difference),
                  key: transferKeys.adjustment(entry),
                },
              ],
        apply: async tx => {
          await adjustBalanceTo(tx, ownerId, cents(wanted), {
            actorId: owners[0],
            reason: 'as agreed',
            auditId: entry,
          })
        },
      }
    }),
  )

/** Statements that bypass the ledger's service: each is refused in every state, also to the owner of the tables. */
export async function expectForbiddenRefused({
  database,
  owners,
  first,
}: LedgerRun): Promise<void> {
  const numbers: Record<string, number> = {
    me: owners[0],
    other: owners[1],
    label: first + NUMBERS - 1,
    missing: 2 ** 40,
  }
  for (const [name, statement] of FORBIDDEN_STATEMENTS) {
    const written = statement.replace(/\$(\w+)/g, (_, word: string) => String(numbers[word]))
    const accepted = new Error(`not refused: ${name}`)
    const error: unknown = await database.owner.pool.query(written).then(
      () => accepted,
      (caught: unknown) => caught,
    )
    if (!isRefused(error)) throw error
  }
}

/** Runs of up to sixty steps. */
export const ledgerRuns = fc.commands(
  [deposits, deposits, holds, holds, settlements, settlements, refunds, adjustments],
  {
    maxCommands: 60,
    size: 'max',
  },
)
