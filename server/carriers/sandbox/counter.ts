import { performance } from 'node:perf_hooks'
import type { Database } from '#server/platform/database.ts'
import { connectionReset } from './faults.ts'
import { insertSales, selectSales, takeSerials } from './store.ts'
import type { Sale, Sold } from './store.ts'
import { sandboxTracking } from './tracking.ts'

/** A sale without its tracking number: the counter gives one. */
export type Wanted = Omit<Sale, 'trackingNumber'>

type Customer = {
  wanted: Wanted
  until: number
  served: (sale: Sold) => void
  failed: (error: unknown) => void
}

/** How many customers one trip to the books serves. */
const MOST_AT_ONCE = 500

/**
 * The sandbox's sales counter: customers who arrive while the books are open are entered together, with one commit, and are
 * answered only after it. One commit a label would make the sandbox the slowest part of the house. Who is not served by `until` (ms,
 * performance.now()) goes without.
 */
export function openCounter(database: Database): (wanted: Wanted, until: number) => Promise<Sold> {
  let queue: Customer[] = []
  let busy = false

  async function serve(): Promise<void> {
    busy = true
    while (queue.length > 0) {
      const now = performance.now()
      for (const { failed } of queue.filter(({ until }) => until < now)) failed(connectionReset())
      const waiting = queue.filter(({ until }) => until >= now)
      const customers = waiting.slice(0, MOST_AT_ONCE)
      queue = waiting.slice(MOST_AT_ONCE)
      if (customers.length === 0) continue
      try {
        const sales = await enter(
          database,
          customers.map(customer => customer.wanted),
        )
        for (const { wanted, served } of customers) served(sales.get(wanted.key)!)
      } catch (error) {
        for (const { failed } of customers) failed(error)
      }
    }
    busy = false
  }

  return (wanted, until) =>
    new Promise((served, failed) => {
      queue.push({ wanted, until, served, failed })
      if (!busy) {
        busy = true
        setImmediate(() => void serve())
      }
    })
}

async function enter(database: Database, wanted: Wanted[]): Promise<Map<string, Sold>> {
  const unique = [...new Map(wanted.map(one => [one.key, one])).values()]
  const serials = await takeSerials(database.db, unique.length)
  const sales = unique.map((one, i) => ({ ...one, trackingNumber: sandboxTracking(serials[i]!) }))
  await database.tx(tx => insertSales(tx, sales))
  return selectSales(
    database.db,
    unique.map(one => one.key),
  )
}
