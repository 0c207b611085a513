/**
 * Messages of the carrier about parcels. Nothing in them is trusted but the number: the parcel is
 * looked up at the carrier next, so forged, repeated, reordered and lost messages change no status.
 */
import type { CarrierMessage, CarrierMessageResult } from '#server/carriers/port.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { insertMessage, lookUpSoon } from './messages-store.ts'

/**
 * `receivers`: the accounts at the carrier, of which one or several have the secret that the message is signed with. Throws
 * Refusal 'signature_invalid', and 'carrier_unavailable' while its keys cannot be read.
 */
export async function receiveCarrierMessage(
  receivers: LabelContext[],
  message: CarrierMessage,
): Promise<void> {
  const told = await Promise.all(
    receivers.map(async ctx => ({ ctx, result: await readMessage(ctx, message) })),
  )
  const signed = told.filter(({ result }) => result !== null && result.kind !== 'unsigned')
  if (signed.length === 0) {
    // An account whose keys cannot be read may be the one that sent it.
    if (told.some(({ result }) => result === null))
      throw new Refusal('carrier_unavailable', 'The signature cannot be checked now', {
        retryAfter: 60,
      })
    throw new Refusal('signature_invalid', 'The signature is missing or invalid')
  }
  for (const { ctx, result } of signed) {
    if (result?.kind !== 'parcel') continue
    await ctx.database.tx(async tx => {
      // Any customer of ShipEngine can have its messages sent here: only those about our parcels count.
      if (await lookUpSoon(tx, namesOfOwnCarrierAccount(ctx), result.trackingNumber))
        await insertMessage(tx, ctx.carrier.account)
    })
  }
}

/** Null while the account's keys cannot be read. */
const readMessage = (
  { carrier, log }: LabelContext,
  message: CarrierMessage,
): Promise<CarrierMessageResult | null> =>
  carrier.readMessage!(message).catch((error: unknown) => {
    log.warn({ err: error }, 'a message of the carrier could not be checked')
    return null
  })
