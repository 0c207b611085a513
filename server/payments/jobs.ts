import type { PaymentsContext } from './service.ts'
import { pollDueInvoices, scheduleOpenInvoices } from './service.ts'
import type { WebhookInbox } from './webhook-inbox.ts'

/** Invoices carry their own time of the next look (a minute for open ones); this is how late it may be noticed. */
const POLL_INTERVAL_MS = 5_000
/** How often old messages are forgotten. */
const CLEANUP_INTERVAL_MS = 60 * 60 * 1000
// Each takes a connection of the pool for a moment; the calls of customers need the others.
const POLL_CHUNK = 8

/**
 * Looks after invoices: all open ones at the start, then each when its time comes; and after the payment service's messages that whoever
 * received them has left. `stop` waits for the look in progress. Several processes may do it side by side.
 */
export function invoicePoller(
  payments: PaymentsContext,
  inbox: WebhookInbox,
): { start(): Promise<void>; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running = Promise.resolve()
  let forgotAt = -Infinity

  async function look(): Promise<number> {
    const { ids, faults } = await pollDueInvoices(payments, POLL_CHUNK)
    for (const error of faults)
      payments.log.warn(
        { err: error },
        'an invoice could not be looked up; it is tried again in a minute',
      )
    return ids.length
  }

  /** As long as there is as much to do as is done at once. */
  async function all(work: () => Promise<number>): Promise<void> {
    while (!stopped && (await work()) === POLL_CHUNK);
  }

  async function round(): Promise<void> {
    try {
      await all(() => inbox.processPending(POLL_CHUNK))
      await all(look)
      if (performance.now() - forgotAt > CLEANUP_INTERVAL_MS) {
        forgotAt = performance.now()
        await inbox.deleteOld()
      }
    } catch (error) {
      payments.log.warn(
        { err: error },
        'the open invoices could not be read; tried again in a moment',
      )
    }
    if (!stopped) timer = setTimeout(begin, POLL_INTERVAL_MS)
  }
  const begin = (): void => void (running = round())

  return {
    async start() {
      await scheduleOpenInvoices(payments)
      begin()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
