import { performance } from 'node:perf_hooks'
import type { Database } from '#server/platform/database/database.ts'
import { connectionReset } from './faults.ts'
import { insertSales, selectSalesByKey, nextSerials } from './store.ts'
import type { SandboxSale, RecordedSale } from './store.ts'
import { sandboxTracking } from './tracking.ts'

/** A sale before it has its tracking number. */
export type NewSale = Omit<SandboxSale, 'trackingNumber'>

type PendingSale = {
  sale: NewSale
  deadline: number
  resolve: (sale: RecordedSale) => void
  reject: (error: unknown) => void
}

/** Sales per commit. */
const MAX_BATCH = 500

/**
 * The sandbox's sales queue. Sales that arrive during a commit are inserted together by the next
 * one and answered after it; one commit per label would make the sandbox the bottleneck. A sale
 * still queued after `until` (ms, performance.now()) fails with a connection reset, unsold.
 */
export function createSaleQueue(
  database: Database,
): (sale: NewSale, until: number) => Promise<RecordedSale> {
  const serials: number[] = []
  let queue: PendingSale[] = []
  let busy = false

  async function recordQueue(): Promise<void> {
    busy = true
    while (queue.length > 0) {
      const now = performance.now()
      for (const { reject } of queue.filter(({ deadline }) => deadline < now))
        reject(connectionReset())
      const waiting = queue.filter(({ deadline }) => deadline >= now)
      const batch = waiting.slice(0, MAX_BATCH)
      queue = waiting.slice(MAX_BATCH)
      if (batch.length === 0) continue
      try {
        const sales = await recordSales(
          database,
          batch.map(({ sale }) => sale),
          serials,
        )
        for (const { sale, resolve } of batch) resolve(sales.get(sale.key)!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    busy = false
  }

  return (sale, until) =>
    new Promise((resolve, reject) => {
      queue.push({ sale, deadline: until, resolve, reject })
      if (!busy) {
        busy = true
        setImmediate(() => void recordQueue())
      }
    })
}

/** Taken ahead from the sequence; those of a process that ends are left out. */
const SERIALS_AHEAD = { few: 50, many: 1_000 }

/** In one statement where no attempt was sold before. */
async function recordSales(
  database: Database,
  wanted: NewSale[],
  serials: number[],
): Promise<Map<string, RecordedSale>> {
  const unique = [...new Map(wanted.map(one => [one.key, one])).values()]
  if (serials.length < unique.length)
    serials.push(
      ...(await nextSerials(
        database.db,
        unique.length
          + (unique.length > SERIALS_AHEAD.few ? SERIALS_AHEAD.many : SERIALS_AHEAD.few),
      )),
    )
  const sales = unique.map(one => ({
    ...one,
    trackingNumber: sandboxTracking(serials.shift()!),
  }))
  const sold = await insertSales(database.db, sales)
  const soldBefore = unique.map(({ key }) => key).filter(key => !sold.has(key))
  if (soldBefore.length === 0) return sold
  return new Map([...sold, ...(await selectSalesByKey(database.db, soldBefore))])
}
