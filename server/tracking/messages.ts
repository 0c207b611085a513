/**
 * Messages of the carrier about parcels. Nothing in them is trusted but the number: the parcel is
 * looked up at the carrier next, so forged, repeated, reordered and lost messages change no status.
 */

import type { CarrierMessage } from '#server/carriers/port.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { insertMessage, lookUpSoon } from './messages-store.ts'

/** Throws Refusal 'signature_invalid', and 'carrier_unavailable' while its keys cannot be read. */
export async function receiveCarrierMessage(
  ctx: LabelContext,
  message: CarrierMessage,
): Promise<void> {
  const { carrier, database, log } = ctx
  const told = await carrier.readMessage!(message).catch((error: unknown) => {
    log.warn({ err: error }, 'a message of the carrier could not be checked')
    throw new Refusal('carrier_unavailable', 'The signature cannot be checked now', {
      retryAfter: 60,
    })
  })
  if (told.kind === 'unsigned')
    throw new Refusal('signature_invalid', 'The signature is missing or invalid')
  if (told.kind !== 'parcel') return
  await database.tx(async tx => {
    // Any customer of ShipEngine can have its messages sent here: only those about our parcels count.
    if (await lookUpSoon(tx, namesOfOwnCarrierAccount(ctx), told.trackingNumber))
      await insertMessage(tx, carrier.account)
  })
}
