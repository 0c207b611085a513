/**
 * Messages of the payment service. Each is kept before it is answered and followed after: the invoice it names is looked up, as the
 * poller does, and nothing else is believed of it. So duplicates, wrong orders and lost ones change no sum.
 */
import { Refusal } from '#server/platform/refusal.ts'
import { claimOpen, forgetOld, insertDelivery, markHandled } from './inbox-store.ts'
import type { OpenDelivery } from './inbox-store.ts'
import { syncInvoice } from './service.ts'
import type { Payments } from './service.ts'
import { findMeant } from './store.ts'
import { isSigned, readDelivery } from './webhook.ts'

export type Inbox = {
  /**
   * Takes a message in. Throws Refusal 'not_found' (not our payment service) or 'unauthorized' (not its signature); in both cases nothing
   * is written. A message about another store or about nothing we know is accepted and has no effect.
   */
  receive(provider: string, body: Buffer, signature: string | undefined): Promise<void>
  /** Follows up to `most` messages that whoever received them has left; returns how many. */
  takeUp(most: number): Promise<number>
  forget(): Promise<void>
  /** Waits for what is being followed. What is left waits for the next start, or for another process. */
  rest(): Promise<void>
}

/** Each looks something up for up to 10 seconds; the calls of customers need the connections, too. */
const AT_ONCE = 4
const FORGET_AT_ONCE = 1_000

export function openInbox(payments: Payments): Inbox {
  const { provider, database, log } = payments
  // By invoice: what has come since its last look began is answered by the next one, however many messages it is.
  const waiting = new Map<string, OpenDelivery[]>()
  const running = new Set<Promise<void>>()
  let resting = false

  function begin(): void {
    while (!resting && running.size < AT_ONCE && waiting.size > 0) {
      const [invoiceId, deliveries] = waiting.entries().next().value!
      waiting.delete(invoiceId)
      const work = follow(payments, deliveries).finally(() => {
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
      if (!isSigned(await provider.webhooks.secret(), body, signature)) {
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
    async takeUp(most) {
      const left = await database.tx(tx => claimOpen(tx, provider.name, most))
      const byInvoice = Map.groupBy(left, delivery => delivery.invoiceId)
      await Promise.all([...byInvoice.values()].map(deliveries => follow(payments, deliveries)))
      return left.length
    },
    async forget() {
      while ((await database.tx(tx => forgetOld(tx, FORGET_AT_ONCE))) === FORGET_AT_ONCE);
    },
    async rest() {
      resting = true
      await Promise.all(running)
    },
  }
}

/** Looks up the one invoice that these messages are about, and notes that they are done. What fails is taken up again later. */
async function follow(payments: Payments, deliveries: OpenDelivery[]): Promise<void> {
  const { provider, database, log } = payments
  const { invoiceId, reference } = deliveries[0]!
  try {
    const id = await findMeant(database.db, provider.name, invoiceId, reference)
    if (id !== undefined) await syncInvoice(payments, id)
    await database.tx(tx =>
      markHandled(
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
