import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import type { PaymentProvider } from './port.ts'
import type { WebhookDelivery } from './webhook.ts'

export type PendingDelivery = Pick<WebhookDelivery, 'id' | 'invoiceId' | 'reference'>

/** For 30 seconds only the receiving process handles it. False for a duplicate. */
export async function insertDelivery(
  tx: Tx,
  provider: PaymentProvider['name'],
  delivery: WebhookDelivery,
  body: Buffer,
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`insert into webhook_inbox (provider, delivery_id, body, invoice_ref, reference, retry_at)
    values (${provider}, ${delivery.id}, ${body}, ${delivery.invoiceId}, ${delivery.reference}, now() + interval '30 seconds')
    on conflict (provider, delivery_id) do nothing`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/**
 * Claims at most `most` due webhooks. Each is retried after 1, 2, 4 … minutes, at most an hour,
 * until it is handled.
 */
export async function claimPendingDeliveries(
  tx: Tx,
  provider: PaymentProvider['name'],
  most: number,
): Promise<PendingDelivery[]> {
  const { rows } = await sql<PendingDelivery>`update webhook_inbox
    set attempts = attempts + 1, retry_at = now() + least(power(2, least(attempts, 10)), 60) * interval '1 minute'
    where (provider, delivery_id) in (select provider, delivery_id from webhook_inbox
      where handled_at is null and retry_at <= now() and provider = ${provider} order by retry_at limit ${most} for update skip locked)
    returning delivery_id as id, invoice_ref as "invoiceId", reference`.execute(tx)
  return rows
}

export async function markDeliveriesHandled(
  tx: Tx,
  provider: PaymentProvider['name'],
  ids: string[],
): Promise<void> {
  await sql`update webhook_inbox set handled_at = clock_timestamp()
    where provider = ${provider} and delivery_id = any(${ids}::text[]) and handled_at is null`.execute(
    tx,
  )
}

/** Deletes at most `most` webhooks older than 30 days, handled or not. Returns their number. */
export async function deleteOldDeliveries(tx: Tx, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from webhook_inbox where (provider, delivery_id) in
    (select provider, delivery_id from webhook_inbox where received_at < now() - interval '30 days' limit ${most})`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n)
}
