import * as z from 'zod'
import {
  AfterId,
  NextId,
  defineEndpoint,
  DollarsInput,
  DollarsOutput,
  Id,
  Moment,
  MomentInput,
  PageQuery,
  UserParams,
} from './endpoint.ts'
import { idList } from './id-list.ts'
import { Signature } from './label-options.ts'
import { TABLE_FILE_TYPES, TableFormatQuery } from './table-files.ts'
import { PARCEL_STAGES, Tracking } from './tracking.ts'
import { TrendQuery } from './trend.ts'
import { WARNING_CODES } from './warnings.ts'

export const ORDER_STATUSES = ['pending', 'completed', 'cancelled'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** States of a label, for administrators. */
export const ORDER_STATES = [
  'queued',
  'purchasing',
  'unknown',
  'purchased',
  'failed',
  'voiding',
  'voided',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/**
 * `requested`: the carrier has not answered yet; `refused`: the label stays valid, `reason` tells
 * why.
 */
export const VOID_STATUSES = ['requested', 'voided', 'refused'] as const
export type VoidStatus = (typeof VOID_STATUSES)[number]

const OptionalText = z
  .string()
  .max(1000)
  .nullish()
  .transform(text => text ?? '')
/** A measure or a count: a number or numeric text. */
const OptionalNumber = z.union([z.number(), z.string().max(100)]).nullish()

export const Sender = z.object({
  sender_name: OptionalText,
  sender_phone: OptionalText,
  sender_company: OptionalText,
  sender_address1: OptionalText,
  sender_address2: OptionalText,
  sender_city: OptionalText,
  sender_state_province: OptionalText,
  sender_zip_postal: OptionalText,
  sender_country: OptionalText,
})

export const Receiver = z.object({
  receiver_name: OptionalText,
  receiver_phone: OptionalText,
  receiver_company: OptionalText,
  receiver_address1: OptionalText,
  receiver_address2: OptionalText,
  receiver_city: OptionalText,
  receiver_state_province: OptionalText,
  receiver_zip_postal: OptionalText,
  receiver_country: OptionalText,
  // For mails about the parcel; never on the label, never given to the carrier.
  receiver_email: OptionalText,
})

const PoundsUnit = z
  .string()
  .regex(/^(lbs?|pounds?)?$/i, 'must be LB: weights are in pounds')
  .nullish()

/** Inches and pounds; reference1 is the quantity, reference2 the SKU. */
export const Package = z.object({
  package_length: OptionalNumber,
  package_width: OptionalNumber,
  package_height: OptionalNumber,
  package_weight: OptionalNumber,
  package_weight_unit: PoundsUnit,
  package_description: OptionalText,
  package_reference1: OptionalNumber,
  package_reference2: OptionalText,
  order_item_id: OptionalText,
  quantity: OptionalNumber,
  sku_number: OptionalText,
})

export const Order = z.object({
  _id: Id,
  user_id: Id,
  service_name: z.string(),
  courier: z.string(),
  manifested: z.boolean(),
  sender: z.record(z.string(), z.string()),
  receiver: z.record(z.string(), z.string()),
  package: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  tracking_number: z.string().nullable(),
  pdfName: z.string().nullable(),
  createdAt: Moment,
  status: z.enum(ORDER_STATUSES),
  batch_id: Id.nullable(),
  row: z.number().nullable(),
  price: DollarsOutput,
  // Absent for a label without a signature, and without Saturday delivery.
  signature: Signature.optional(),
  saturday: z.boolean().optional(),
  reason: z.string().nullable(),
  void: z.enum(VOID_STATUSES).nullable(),
  // When the carrier accepted the void request, to decide later. Null before, and without a void.
  voidSubmittedAt: Moment.nullable(),
  // When the refund of a void that the carrier has confirmed is due. Absent where none waits.
  refundDueAt: Moment.optional(),
  tracking: Tracking.nullable(),
  // Path of the parcel's public page. Null without a valid label.
  trackingPage: z.string().nullable(),
  /** The SCAN form that the label is on; with state `unknown` it may be on it. Absent without one. */
  scanForm: z.object({ id: Id, state: z.enum(['asked', 'made', 'unknown']) }).optional(),
  /** Of a label that combines order items; `orderId` where it is not the row's. */
  items: z
    .array(
      z.object({
        orderId: z.string().optional(),
        orderItemId: z.string(),
        sku: z.string(),
        quantity: z.string(),
      }),
    )
    .optional(),
})
export type Order = z.output<typeof Order>

export const placeOrder = defineEndpoint({
  name: 'placeOrder',
  method: 'POST',
  path: '/api/orders/v2',
  access: 'self',
  scope: 'labels:buy',
  refusals: [404, 409, 422],
  summary: 'Buy one label',
  acceptsIdempotencyKey: true,
  otherStatuses: {
    202: 'Waiting for the carrier, or being looked up there; pdfName is null',
    402: 'Insufficient balance',
  },
  body: z.object({
    user_id: Id,
    service_name: OptionalText,
    manifested: z.boolean().nullish(),
    sender: Sender,
    receiver: Receiver,
    package: Package,
    courier: OptionalText,
    // Sold where the service has a price for them: see /api/orders/price/options/{userId}.
    signature: Signature.nullish(),
    saturday: z.boolean().nullish(),
    // In dollars, as the caller has seen it; at another one nothing is bought (price_changed).
    agreed_price: DollarsInput.nullish(),
  }),
  response: z.object({
    data: z.object({
      pdfName: z.string().nullable(),
      orderId: Id,
      trackingNumber: z.string().nullable(),
      price: DollarsOutput,
    }),
    message: z.string(),
    // `field` as in `errors` of a refusal; absent without any.
    warnings: z
      .array(z.object({ field: z.string(), code: z.enum(WARNING_CODES), message: z.string() }))
      .optional(),
  }),
})

export const MAX_QUOTED_SHIPMENTS = 50_000

/** What sender and receiver contain does not change the price. */
export const Shipment = z.object({
  service_name: OptionalText,
  package: Package.partial().nullish(),
  sender: z.unknown().optional(),
  receiver: z.unknown().optional(),
  // Priced where the service has a price for them, else the reason why there is none.
  signature: Signature.nullish(),
  saturday: z.boolean().nullish(),
})

/** Of one shipment: its price, or why it has none. */
const ShipmentPrice = z.union([
  z.object({ price: DollarsOutput }),
  z.object({ reason: z.string(), code: z.string() }),
])
export type ShipmentPrice = z.output<typeof ShipmentPrice>

export const quotePrice = defineEndpoint({
  name: 'quotePrice',
  method: 'POST',
  path: '/api/orders/price/v2/bulk',
  access: 'self',
  scope: 'labels:read',
  readOnly: true,
  refusals: [422],
  summary:
    'Price shipments; an unknown weight is priced as 1 lb. One that has no price refuses the quote. '
    + 'With each, prices has the price or the reason of every shipment, and totalPrice is the sum of the prices',
  body: z.object({
    userId: Id,
    shipments: z.array(Shipment).max(MAX_QUOTED_SHIPMENTS),
    each: z.boolean().optional(),
  }),
  streamedList: 'shipments',
  /** 50,000 shipments of 640 bytes, with sender and receiver. */
  bodyLimit: 32 * 1024 * 1024,
  response: z.object({ totalPrice: DollarsOutput, prices: z.array(ShipmentPrice).optional() }),
})

export const recentOrders = defineEndpoint({
  name: 'recentOrders',
  method: 'GET',
  path: '/api/orders/recent/:userId',
  access: 'self',
  isPersonal: true,
  scope: 'labels:read',
  summary: 'The newest orders for the dashboard',
  params: UserParams,
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(25) }),
  response: z.object({ recentOrders: z.array(Order) }),
})

export const totalOrders = defineEndpoint({
  name: 'totalOrders',
  method: 'GET',
  path: '/api/orders/total/:userId',
  access: 'self',
  scope: 'labels:read',
  summary: 'Count a user’s orders',
  params: UserParams,
  response: z.object({ totalOrders: z.number() }),
})

export const orderTrend = defineEndpoint({
  name: 'orderTrend',
  method: 'GET',
  path: '/api/orders/trend/:userId',
  access: 'self',
  scope: 'labels:read',
  summary: 'List the number of orders per day for the last 14 days, oldest first',
  params: UserParams,
  query: TrendQuery,
  response: z.object({ days: z.array(z.object({ day: z.iso.date(), orders: z.number() })) }),
})

/** Such as 'usps:PRIORITY_MAIL'. */
const SERVICE_UID_PATTERN = /^[\x21-\x7e]{1,100}$/
export const isServiceUid = (text: string): boolean => SERVICE_UID_PATTERN.test(text)

/** `service`: its uid; `batchId`: of a bulk order; `from` and `to`: order date, inclusive. */
export const CustomerOrderFilterQuery = z.object({
  search: z.string().max(200).optional(),
  status: z.enum(ORDER_STATUSES).optional(),
  parcel: z.enum(PARCEL_STAGES).optional(),
  service: z.string().regex(SERVICE_UID_PATTERN, 'must be the uid of a service').optional(),
  batchId: Id.optional(),
  from: MomentInput.optional(),
  to: MomentInput.optional(),
})
export type CustomerOrderFilter = z.output<typeof CustomerOrderFilterQuery>

/** Most orders that one list names. */
const MAX_NAMED_ORDERS = 100

export const listOrders = defineEndpoint({
  name: 'listOrders',
  method: 'GET',
  path: '/api/orders/:userId',
  access: 'self',
  isPersonal: true,
  scope: 'labels:read',
  summary:
    'List orders, newest first. search matches the end of tracking numbers and the beginning of order ids and of words in names; '
    + 'parcel: bought labels by the stage of their parcels; service by its uid. '
    + 'With a filter at most 10,000 are counted, fewer by parcel or with a frequent word; more tells that counting stopped. '
    + 'ids: 81,79,12; only these orders, at most 100, without other filters',
  params: UserParams,
  query: PageQuery.extend({
    ...CustomerOrderFilterQuery.shape,
    after: AfterId,
    ids: idList(MAX_NAMED_ORDERS).optional(),
  }).refine(
    ({ page: _page, limit: _limit, ids, ...filter }) =>
      ids === undefined || Object.values(filter).every(value => value === undefined),
    { path: ['ids'], message: 'cannot be combined with a filter or after' },
  ),
  response: z.object({
    orders: z.array(Order),
    totalCount: z.number(),
    more: z.boolean(),
    next: NextId,
  }),
})

export const exportOrders = defineEndpoint({
  name: 'exportOrders',
  method: 'GET',
  path: '/api/orders/export/:userId',
  access: 'self',
  scope: 'labels:read',
  acceptsDownloadCookie: true,
  summary: 'Export orders as CSV or xlsx, newest first, with the filters of the list',
  params: UserParams,
  query: CustomerOrderFilterQuery.extend(TableFormatQuery.shape),
  fileTypes: TABLE_FILE_TYPES,
  response: z.any(),
})
