/** The public page of a parcel: no word of it tells who receives the parcel. */
import type { ParcelPage, ParcelPageSettings } from '#contract/parcel-pages.ts'
import { SELLER_CONTACT_MAX, SELLER_NAME_MAX } from '#contract/parcel-pages.ts'
import { MILITARY_STATES } from '#contract/states.ts'
import { tidyText, tooLong } from '#contract/text.ts'
import { requireUser } from '#server/accounts/service.ts'
import type { StoredAddress, TrackingEvent } from '#server/carriers/port.ts'
import { deliveryDaysOf } from '#server/carriers/services.ts'
import { selectParcelEvents } from '#server/orders/service.ts'
import { Refusal, refuseFields } from '#server/platform/http/refusal.ts'
import { networkOf } from '#server/platform/http/request-limits.ts'
import type { ParcelPageContext } from './context.ts'
import { selectPageParcel, selectPageSettings, upsertPageSettings } from './parcel-page-store.ts'

/** Of a network, each minute: an office or a mobile carrier shares one. */
const VIEWS_A_MINUTE = 120
const TOO_MANY = 'Too many tracking pages are opened from your network.'

/** Throws Refusal 'parcel_page_unknown', and 'rate_limited'. */
export async function readParcelPage(
  { config, database, limits }: ParcelPageContext,
  token: string,
  address: string,
): Promise<ParcelPage> {
  await limits.countAttempt(`track:${networkOf(address)}`, VIEWS_A_MINUTE, 60, TOO_MANY)
  const parcel = await selectPageParcel(database.db, token)
  if (!parcel)
    throw new Refusal('parcel_page_unknown', 'No parcel found for this link. Check the link.')
  const events = await selectParcelEvents(database.db, parcel.orderId)
  const { status, sender, receiver } = parcel
  return {
    service: parcel.serviceName,
    trackingNumber: parcel.trackingNumber,
    origin: `${sender.city}, ${sender.state}`,
    destination: `${receiver.city}, ${receiver.state}`,
    isSample: config.mode === 'sandbox',
    isVoided: parcel.isVoided,
    labelAt: parcel.labelAt.toISOString(),
    status,
    expectedDay:
      status === 'delivered' || status === 'return_to_sender' ? null : parcel.expectedDay,
    deliveryDays: MILITARY_STATES.has(receiver.state)
      ? undefined
      : deliveryDaysOf(parcel.serviceUid),
    seller: {
      name: parcel.sellerName || sender.company || sender.name,
      contact: parcel.contact ?? '',
    },
    events: events.toReversed().map(event => {
      const { at, text, place } = withoutReceiver(event, receiver)
      return { at: at.toISOString(), status: event.status, text, place }
    }),
  }
}

/** Carriers write for the sender: words with a part of the receiver's name or address are left out. */
export function withoutReceiver(
  { at, text, place }: TrackingEvent,
  { name, company, street1, street2, zip, phone, email = '' }: StoredAddress,
): Pick<TrackingEvent, 'at' | 'text' | 'place'> {
  const whole = [name, company, street1, street2, zip, zip.slice(0, 5), phone, email].map(wordsOf)
  const parts = [
    ...whole,
    ...wordsOf(name)
      .split(' ')
      .filter(word => word.length > 1),
  ]
  return { at, text: names(text, parts) ? '' : text, place: names(place, whole) ? '' : place }
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const names = (text: string, parts: string[]): boolean =>
  parts.some(part => part !== '' && ` ${wordsOf(text)} `.includes(` ${part} `))

const DEFAULTS: ParcelPageSettings = { sellerName: '', contact: '', mailsReceivers: false }

export const readPageSettings = async (
  { database }: ParcelPageContext,
  userId: number,
): Promise<ParcelPageSettings> => (await selectPageSettings(database.db, userId)) ?? DEFAULTS

/** Throws Refusal: 'too_long' for a text that is too long for the page, 'user_unknown' for a deleted user. */
export async function savePageSettings(
  { database }: ParcelPageContext,
  userId: number,
  given: ParcelPageSettings,
): Promise<void> {
  const sellerName = tidyText(given.sellerName)
  const contact = tidyText(given.contact)
  const faults = {
    ...(sellerName.length > SELLER_NAME_MAX && {
      sellerName: tooLong('Name', SELLER_NAME_MAX, sellerName.length),
    }),
    ...(contact.length > SELLER_CONTACT_MAX && {
      contact: tooLong('Contact', SELLER_CONTACT_MAX, contact.length),
    }),
  }
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const { mailsReceivers } = given
  await database.tx(async tx => {
    await requireUser(tx, userId)
    await upsertPageSettings(tx, userId, { sellerName, contact, mailsReceivers })
  })
}
