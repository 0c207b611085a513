/** Work on single rows of a large database: a claim, a void, and a bulk order beside all labels that are there. */
import { listAllOrders } from '#contract/orders-admin.ts'
import { voidOrder } from '#contract/voids.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { claimQueued } from '#server/purchasing/claim.ts'
import { startServer } from '#tests/support/server-process.ts'
import { submitBulkOrder } from './bulk-order.ts'
import { bulkRuns } from './bulk.ts'
import { summarize } from './lists.ts'
import type { ListBench } from './lists.ts'

const CLAIM_SIZES = [1, 200]
const QUEUED_LABELS = 1_000
const LEASE_MS = 15_000
const CLAIM_OF_SANDBOX = { names: ['sandbox'] as [string], scope: null }

/**
 * Claims from a queue of 1,000 labels, each rolled back, then voids of the newest labels. The queued labels are
 * bought by the server that is measured next.
 */
export async function* benchLabelWork(
  dataDir: string,
  databaseUrl: string,
  times = 40,
): AsyncGenerator<ListBench> {
  const ctx = await startServer(dataDir, {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    ROLE: 'web',
  })
  try {
    const seller = await ctx.register('Queue')
    await ctx.pay(seller, QUEUED_LABELS * 7)
    await submitBulkOrder(ctx, seller, QUEUED_LABELS)
    for (const size of CLAIM_SIZES)
      yield summarize(
        `claim of ${size === 1 ? 'a label' : `${size} labels`}`,
        await timeClaims(databaseUrl, size, times),
      )
    const { token } = await ctx.admin()
    const { body } = await ctx.call(
      listAllOrders,
      { query: { limit: times, state: 'purchased' } },
      token,
    )
    const took: number[] = []
    for (const { _id } of body.orders) {
      const began = performance.now()
      const { status } = await ctx.call(voidOrder, { params: { orderId: _id } }, token)
      if (status >= 300) throw new Error(`void of ${_id}: ${status}`)
      took.push(performance.now() - began)
    }
    yield summarize('void of a label', took)
  } finally {
    await ctx.stop('SIGTERM')
  }
}

async function timeClaims(databaseUrl: string, size: number, times: number): Promise<number[]> {
  const database = openDatabase(databaseUrl, { max: 1 })
  try {
    const took: number[] = []
    while (took.length < times)
      await database
        .tx(async tx => {
          const began = performance.now()
          const { claims } = await claimQueued(tx, CLAIM_OF_SANDBOX, size, LEASE_MS, 0)
          took.push(performance.now() - began)
          throw new Undone(claims.length)
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone) || error.claims !== size) throw error
        })
    return took
  } finally {
    await database.close()
  }
}

/** Rolls a claim back. */
class Undone extends Error {
  readonly claims: number
  constructor(claims: number) {
    super(`claimed ${claims}`)
    this.claims = claims
  }
}

/** Seconds from the submit of 10,000 labels until their files are ready, one order after another; and rows that are dead after each. */
export type BulkOnTop = { seconds: number; deadRows: number }

export async function benchBulkOnTop(
  dataDir: string,
  databaseUrl: string,
  orders: number,
): Promise<BulkOnTop[]> {
  const database = openDatabase(databaseUrl, { max: 1 })
  try {
    const found: BulkOnTop[] = []
    for (let n = 0; n < orders; n++) {
      const [run] = await bulkRuns(dataDir, databaseUrl, [10_000])
      const { rows: dead } = await database.pool.query<{ n: string }>(
        `select coalesce(sum(n_dead_tup), 0) as n from pg_stat_user_tables`,
      )
      found.push({ seconds: run!.readyMs / 1000, deadRows: Number(dead[0]!.n) })
    }
    return found
  } finally {
    await database.close()
  }
}
