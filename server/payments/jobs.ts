import type { Payments } from './service.ts'
import { pollDue, sweep } from './service.ts'

/** Invoices carry their own time of the next look (a minute for open ones); this is how late it may be noticed. */
const EVERY_MS = 5_000
// Each takes a connection of the pool for a moment; the calls of customers need the others.
const AT_ONCE = 8

/**
 * Looks after invoices: all open ones at the start, then each when its time comes. `stop` waits for the look in progress. Several
 * processes may do it side by side.
 */
export function invoicePoller(payments: Payments): { start(): Promise<void>, stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running = Promise.resolve()

  async function round(): Promise<void> {
    try {
      for (let full = true; full && !stopped;) {
        const { ids, faults } = await pollDue(payments, AT_ONCE)
        for (const error of faults) payments.log.warn({ err: error }, 'an invoice could not be looked up; it is tried again in a minute')
        full = ids.length === AT_ONCE
      }
    } catch (error) {
      payments.log.warn({ err: error }, 'the open invoices could not be read; tried again in a moment')
    }
    if (!stopped) timer = setTimeout(begin, EVERY_MS)
  }
  const begin = (): void => void (running = round())

  return {
    async start() {
      await sweep(payments)
      begin()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
