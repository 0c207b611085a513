import type { Payments } from './service.ts'
import { pollDue, sweep } from './service.ts'

/** Invoices carry their own time of the next look (a minute for open ones); this is how late it may be noticed. */
const EVERY_MS = 5_000
const AT_ONCE = 50

/**
 * Begins to look after invoices: all open ones now, then each when its time comes. `stop` waits for the look in progress. Several
 * processes may do it side by side.
 */
export function startPolling(payments: Payments): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const round = async (): Promise<void> => {
    try {
      for (let full = true; full && !stopped;) {
        const { ids, faults } = await pollDue(payments, AT_ONCE)
        for (const error of faults) payments.log.warn({ err: error }, 'an invoice could not be looked up; it is tried again in a minute')
        full = ids.length === AT_ONCE
      }
    } catch (error) {
      payments.log.warn({ err: error }, 'the open invoices could not be read; tried again in a moment')
    }
    if (!stopped) timer = setTimeout(() => running = round(), EVERY_MS)
  }
  let running = sweep(payments).catch((error: unknown) => {
    payments.log.warn({ err: error }, 'the open invoices could not be swept at start')
  }).then(round)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
