/** The public page of a parcel, what its seller shows there, and mails to receivers. */
import * as z from 'zod'
import { defineEndpoint, MessageResponse, Moment, UserParams } from './endpoint.ts'
import { TRACKING_STATUSES } from './tracking.ts'

/** One of the carrier's events. `place`: city and state, '' where none is told. */
export const ParcelEvent = z.object({
  at: Moment,
  status: z.enum(TRACKING_STATUSES),
  text: z.string(),
  place: z.string(),
})
export type ParcelEvent = z.output<typeof ParcelEvent>

/** 128 bits of base64url. */
const PageToken = z.string().regex(/^[\w-]{22}$/, 'must be the end of a tracking link')
/** 256 bits of base64url. */
const StopToken = z.string().regex(/^[\w-]{43}$/, 'must be the token of a mailed link')

export const SELLER_NAME_MAX = 60
export const SELLER_CONTACT_MAX = 120

/**
 * Without name, street, ZIP code or contact of the receiver. `origin`, `destination`: city and state. `labelAt`: when the label was
 * made. `events`: newest first. `deliveryDays`: business days as the carrier publishes them for the service; absent where it does not.
 */
export const ParcelPage = z.object({
  service: z.string(),
  trackingNumber: z.string(),
  origin: z.string(),
  destination: z.string(),
  isSample: z.boolean(),
  isVoided: z.boolean(),
  labelAt: Moment,
  status: z.enum(TRACKING_STATUSES),
  expectedDay: z.iso.date().nullable(),
  deliveryDays: z.object({ from: z.number(), to: z.number() }).optional(),
  seller: z.object({ name: z.string(), contact: z.string() }),
  events: z.array(ParcelEvent),
})
export type ParcelPage = z.output<typeof ParcelPage>

export const parcelPage = defineEndpoint({
  name: 'parcelPage',
  method: 'GET',
  path: '/api/track/:link',
  access: 'anyone',
  refusals: [404],
  summary:
    'Read the public page of a parcel. It takes the end of its link, the only key to it; '
    + 'nothing but city and state tells who receives it',
  params: z.object({ link: PageToken }),
  response: ParcelPage,
})

/** `sellerName`: '' for the sender on the label. `contact`: '' for none. */
export const ParcelPageSettings = z.object({
  sellerName: z.string(),
  contact: z.string(),
  mailsReceivers: z.boolean(),
})
export type ParcelPageSettings = z.output<typeof ParcelPageSettings>

const SETTINGS_PATH = '/api/track/settings/:userId'

export const parcelPageSettings = defineEndpoint({
  name: 'parcelPageSettings',
  method: 'GET',
  path: SETTINGS_PATH,
  access: 'self',
  summary: 'Get what the pages of your parcels show, and whether receivers get emails',
  params: UserParams,
  response: ParcelPageSettings,
})

export const saveParcelPageSettings = defineEndpoint({
  name: 'saveParcelPageSettings',
  method: 'PUT',
  path: SETTINGS_PATH,
  access: 'self',
  refusals: [404, 422],
  summary: 'Save what the pages of your parcels show, and whether receivers get emails',
  params: UserParams,
  body: z.object({
    sellerName: z.string().max(1000),
    contact: z.string().max(1000),
    mailsReceivers: z.boolean(),
  }),
  response: MessageResponse,
})

export const stopParcelMails = defineEndpoint({
  name: 'stopParcelMails',
  method: 'POST',
  path: '/api/track/stop',
  access: 'anyone',
  refusals: [404],
  summary:
    'Stop all emails about parcels to an address, of every seller, with the token of a mailed link. '
    + 'A second call changes nothing',
  body: z.object({ token: StopToken }),
  response: MessageResponse,
})
