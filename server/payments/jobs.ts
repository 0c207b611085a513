import type { PaymentsContext } from './service.ts'
import { pollDueInvoices, scheduleForgottenInvoices, scheduleOpenInvoices } from './service.ts'
import type { WebhookInbox } from './webhook-inbox.ts'

/** Invoices have their own time of the next look-up; this is its largest delay. */
const POLL_INTERVAL_MS = 5_000
const CLEANUP_INTERVAL_MS = 60 * 60 * 1000
// Each look-up takes a database connection for a moment; requests of customers need the others.
const POLL_CHUNK = 8

/**
 * Looks up invoices: all open ones at the start, then each when it is due; and processes webhooks
 * that their receiver left pending. `stop` waits for the running round. Several processes may poll
 * at the same time.
 */
export function invoicePoller(
  payments: PaymentsContext,
  inbox: WebhookInbox,
): { start(): Promise<void>; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running = Promise.resolve()
  let cleanedAt = -Infinity

  async function lookUpDue(): Promise<number> {
    const { ids, errors } = await pollDueInvoices(payments, POLL_CHUNK)
    for (const error of errors)
      payments.log.warn({ err: error }, 'an invoice could not be looked up; another try follows')
    return ids.length
  }

  /** Repeats while chunks are full. */
  async function drain(work: () => Promise<number>): Promise<void> {
    while (!stopped && (await work()) === POLL_CHUNK);
  }

  async function round(): Promise<void> {
    try {
      await drain(() => inbox.processPending(POLL_CHUNK))
      if (performance.now() - cleanedAt > CLEANUP_INTERVAL_MS) {
        cleanedAt = performance.now()
        await scheduleForgottenInvoices(payments, () => stopped)
        await inbox.deleteOld()
      }
      await drain(lookUpDue)
    } catch (error) {
      payments.log.warn({ err: error }, 'due invoices could not be read; retry in a moment')
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
