import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
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
 * that their receiver left pending. Several processes may poll at the same time.
 */
export function invoicePoller(payments: PaymentsContext, inbox: WebhookInbox): RepeatedJob {
  let areOpenScheduled = false
  let cleanedAt = -Infinity

  async function lookUpDue(): Promise<number> {
    const { ids, errors } = await pollDueInvoices(payments, POLL_CHUNK)
    for (const error of errors)
      payments.log.warn({ err: error }, 'an invoice could not be looked up; another try follows')
    return ids.length
  }

  return openRepeatedJob(payments, {
    pauseMs: POLL_INTERVAL_MS,
    failure: 'due invoices could not be read; retry in a moment',
    async round(isStopped) {
      /** Repeats while chunks are full. */
      const drain = async (work: () => Promise<number>): Promise<void> => {
        while (!isStopped() && (await work()) === POLL_CHUNK);
      }
      if (!areOpenScheduled) await scheduleOpenInvoices(payments)
      areOpenScheduled = true
      await drain(() => inbox.processPending(POLL_CHUNK))
      if (performance.now() - cleanedAt > CLEANUP_INTERVAL_MS) {
        cleanedAt = performance.now()
        await scheduleForgottenInvoices(payments, isStopped)
        await inbox.deleteOld()
      }
      await drain(lookUpDue)
    },
  })
}
