/**
 * Messages of the payment service. Each is kept before it is answered and followed after: the invoice it names is looked up, as the
 * poller does, and nothing else is believed of it. So duplicates, wrong orders and lost ones change no sum.
 */
import { Refusal } from '#server/platform/http/refusal.ts'
import { syncInvoice } from './service.ts'
import type { PaymentsContext } from './service.ts'
import { findByDelivery } from './store.ts'
import {
  claimPendingDeliveries,
  deleteOldDeliveries,
  insertDelivery,
  markDeliveriesHandled,
} from './webhook-inbox-store.ts'
import type { PendingDelivery } from './webhook-inbox-store.ts'
import { hasValidSignature, readDelivery } from './webhook.ts'

export type WebhookInbox = {
  /**
   * Takes a message in. Throws Refusal 'not_found' (not our payment service) or 'unauthorized' (not its signature); in both cases nothing
   * is written. A message about another store or about nothing we know is accepted and has no effect.
   */
  receive(provider: string, body: Buffer, signature: string | undefined): Promise<void>
  /** Follows up to `most` messages that whoever received them has left; returns how many. */
  processPending(most: number): Promise<number>
  deleteOld(): Promise<void>
  /** Waits for what is being followed. What is left waits for the next start, or for another process. */
  stop(): Promise<void>
}

/** Each looks something up for up to 10 seconds; the calls of customers need the connections, too. */
const MAX_CONCURRENT_LOOKUPS = 4
const DELETE_CHUNK = 1_000

export function openWebhookInbox(payments: PaymentsContext): WebhookInbox {
  const { provider, database, log } = payments
  // By invoice: what has come since its last look began is answered by the next one, however many messages it is.
  const waiting = new Map<string, PendingDelivery[]>()
  const running = new Set<Promise<void>>()
  let resting = false

  function begin(): void {
    while (!resting && running.size < MAX_CONCURRENT_LOOKUPS && waiting.size > 0) {
      const [invoiceId, deliveries] = waiting.entries().next().value!
      waiting.delete(invoiceId)
      const work = processDeliveries(payments, deliveries).finally(() => {
        running.delete(work)
        begin()
      })
      running.add(work)
    }
  }

  return {
    async receive(name, body, signature) {
      if (name !== provider.name)
        throw new Refusal('not_found', 'There is no such payment service here')
      if (!hasValidSignature(await provider.webhooks.secret(), body, signature)) {
        throw new Refusal(
          'unauthorized',
          'The signature is missing or does not belong to this message',
        )
      }
      const delivery = readDelivery(body)
      if (delivery === null) return
      if (delivery.storeId !== provider.webhooks.storeId) {
        log.warn(
          { delivery: delivery.id },
          'a message of the payment service is about another store and was left alone',
        )
        return
      }
      if (!(await database.tx(tx => insertDelivery(tx, provider.name, delivery, body)))) return
      waiting.set(delivery.invoiceId, [...(waiting.get(delivery.invoiceId) ?? []), delivery])
      begin()
    },
    async processPending(most) {
      const left = await database.tx(tx => claimPendingDeliveries(tx, provider.name, most))
      const byInvoice = Map.groupBy(left, delivery => delivery.invoiceId)
      await Promise.all(
        [...byInvoice.values()].map(deliveries => processDeliveries(payments, deliveries)),
      )
      return left.length
    },
    async deleteOld() {
      while ((await database.tx(tx => deleteOldDeliveries(tx, DELETE_CHUNK))) === DELETE_CHUNK);
    },
    async stop() {
      resting = true
      await Promise.all(running)
    },
  }
}

/** Looks up the one invoice that these messages are about, and notes that they are done. What fails is taken up again later. */
async function processDeliveries(
  payments: PaymentsContext,
  deliveries: PendingDelivery[],
): Promise<void> {
  const { provider, database, log } = payments
  const { invoiceId, reference } = deliveries[0]!
  try {
    const id = await findByDelivery(database.db, provider.name, invoiceId, reference)
    if (id !== undefined) await syncInvoice(payments, id)
    await database.tx(tx =>
      markDeliveriesHandled(
        tx,
        provider.name,
        deliveries.map(delivery => delivery.id),
      ),
    )
  } catch (error) {
    log.warn(
      { err: error, deliveries: deliveries.length },
      'a message of the payment service could not be followed; it is tried again',
    )
  }
}
