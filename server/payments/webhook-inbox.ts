/**
 * Webhooks of the payment provider. Each is stored before the response and processed afterwards:
 * its invoice is looked up, and nothing else in it is trusted. So duplicate, reordered and lost
 * webhooks change no amount.
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
   * Throws Refusal 404 for another provider or 401 for an invalid signature;
   * then nothing is stored. A webhook about another store or an unknown invoice is accepted without
   * effect.
   */
  receive(provider: string, body: Buffer, signature: string | undefined): Promise<void>
  /** Processes at most `most` webhooks that their receiver left pending; returns their number. */
  processPending(most: number): Promise<number>
  deleteOld(): Promise<void>
  /** Waits for running look-ups. Pending webhooks are left to the next start or another process. */
  stop(): Promise<void>
}

/** A look-up takes up to 10 seconds, and requests of customers need database connections too. */
const MAX_CONCURRENT_LOOKUPS = 4
const DELETE_CHUNK = 1_000

export function openWebhookInbox(payments: PaymentsContext): WebhookInbox {
  const { provider, database, log } = payments
  // By invoice: one look-up covers all webhooks that arrived before it began.
  const waiting = new Map<string, PendingDelivery[]>()
  const running = new Set<Promise<void>>()
  let stopping = false

  function startWork(): void {
    while (!stopping && running.size < MAX_CONCURRENT_LOOKUPS && waiting.size > 0) {
      const [invoiceId, deliveries] = waiting.entries().next().value!
      waiting.delete(invoiceId)
      const work = processDeliveries(payments, deliveries).finally(() => {
        running.delete(work)
        startWork()
      })
      running.add(work)
    }
  }

  return {
    async receive(name, body, signature) {
      if (name !== provider.name) throw new Refusal('provider_unknown', 'Unknown payment provider')
      if (!hasValidSignature(await provider.webhooks.secret(), body, signature)) {
        throw new Refusal('signature_invalid', 'The signature is missing or invalid')
      }
      const delivery = readDelivery(body)
      if (delivery === null) return
      if (delivery.storeId !== provider.webhooks.storeId) {
        log.warn({ delivery: delivery.id }, 'ignored a webhook about another store')
        return
      }
      if (!(await database.tx(tx => insertDelivery(tx, provider.name, delivery, body)))) return
      waiting.set(delivery.invoiceId, [...(waiting.get(delivery.invoiceId) ?? []), delivery])
      startWork()
    },
    async processPending(most) {
      const pending = await database.tx(tx => claimPendingDeliveries(tx, provider.name, most))
      const byInvoice = Map.groupBy(pending, delivery => delivery.invoiceId)
      await Promise.all(
        [...byInvoice.values()].map(deliveries => processDeliveries(payments, deliveries)),
      )
      return pending.length
    },
    async deleteOld() {
      while ((await database.tx(tx => deleteOldDeliveries(tx, DELETE_CHUNK))) === DELETE_CHUNK);
    },
    async stop() {
      stopping = true
      await Promise.all(running)
    },
  }
}

/** Looks up the invoice of these webhooks and marks them as handled. A failure is retried later. */
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
      'a webhook could not be processed; it will be retried',
    )
  }
}
