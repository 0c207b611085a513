/**
 * /v2: the part of EasyPost's published interface that Evenpost offers, so that a program written
 * for EasyPost's clients works after it changes its base URL and key (docs/programs.md). Refusals
 * have EasyPost's shape. The OpenAPI document leaves these calls out: EasyPost's documentation and
 * clients describe them.
 */
import * as z from 'zod'
import {
  BatchShipmentsBody,
  BuyBody,
  CreateAddressBody,
  CreateAddressQuery,
  CreateBatchBody,
  CreateParcelBody,
  CreateRefundBody,
  CreateShipmentBody,
  CreateTrackerBody,
  EASYPOST_BODY_DEPTH,
  LabelFormatBody,
  lenientQuery,
  ListFields,
  ListQuery,
  TrackersBody,
  TrackersQuery,
} from './easypost-bodies.ts'
import {
  EasypostAddress,
  EasypostBatch,
  EasypostParcel,
  EasypostRate,
  EasypostRefund,
  EasypostShipment,
  EasypostTracker,
} from './easypost-objects.ts'
import { defineEndpoint } from './endpoint.ts'

/**
 * Every call and every refusal below them has EasyPost's shape. Its clients send beta calls beside
 * /v2; none is offered.
 */
const EASYPOST_PATH = /^\/(?:v2|beta)(?:\/|$)/

export const isEasypostPath = (path: string): boolean => EASYPOST_PATH.test(path)

const Params = z.object({ id: z.string().max(100) })
const HasMore = z.boolean()
/** Fields that EasyPost's clients may send change nothing. */
const AnyQuery = lenientQuery(z.object({}))
const signedIn = {
  access: 'signed-in',
  query: AnyQuery,
  bodyDepth: EASYPOST_BODY_DEPTH,
} as const

export const easypostCreateAddress = defineEndpoint({
  ...signedIn,
  name: 'easypostCreateAddress',
  method: 'POST',
  path: '/v2/addresses',
  scope: 'books',
  summary: 'Keep an address. verify checks ZIP, state and city; verify_strict refuses a wrong one',
  query: CreateAddressQuery,
  body: CreateAddressBody,
  response: EasypostAddress,
  status: 201,
})

export const easypostCreateVerifiedAddress = defineEndpoint({
  ...signedIn,
  name: 'easypostCreateVerifiedAddress',
  method: 'POST',
  path: '/v2/addresses/create_and_verify',
  scope: 'books',
  summary: 'Keep an address whose ZIP, state and city belong together',
  body: CreateAddressBody,
  response: z.object({ address: EasypostAddress }),
})

export const easypostAddress = defineEndpoint({
  ...signedIn,
  name: 'easypostAddress',
  method: 'GET',
  path: '/v2/addresses/:id',
  scope: 'books',
  summary: 'An address by its id',
  params: Params,
  response: EasypostAddress,
})

export const easypostAddresses = defineEndpoint({
  ...signedIn,
  name: 'easypostAddresses',
  method: 'GET',
  path: '/v2/addresses',
  scope: 'books',
  summary: 'List addresses, newest first',
  query: ListQuery,
  response: z.object({ addresses: z.array(EasypostAddress), has_more: HasMore }),
})

export const easypostVerifyAddress = defineEndpoint({
  ...signedIn,
  name: 'easypostVerifyAddress',
  method: 'GET',
  path: '/v2/addresses/:id/verify',
  scope: 'books',
  summary: 'Verify a kept address; 422 if ZIP, state and city do not belong together',
  params: Params,
  response: z.object({ address: EasypostAddress }),
})

export const easypostCreateParcel = defineEndpoint({
  ...signedIn,
  name: 'easypostCreateParcel',
  method: 'POST',
  path: '/v2/parcels',
  scope: 'books',
  summary: 'Keep the measures of a parcel: inches and ounces',
  body: CreateParcelBody,
  response: EasypostParcel,
  status: 201,
})

export const easypostParcel = defineEndpoint({
  ...signedIn,
  name: 'easypostParcel',
  method: 'GET',
  path: '/v2/parcels/:id',
  scope: 'books',
  summary: 'A parcel by its id',
  params: Params,
  response: EasypostParcel,
})

export const easypostCreateShipment = defineEndpoint({
  ...signedIn,
  name: 'easypostCreateShipment',
  method: 'POST',
  path: '/v2/shipments',
  scope: 'labels:buy',
  summary: 'Rate a shipment; with service, buy it too',
  acceptsIdempotencyKey: true,
  body: CreateShipmentBody,
  response: EasypostShipment,
  status: 201,
})

export const easypostShipment = defineEndpoint({
  ...signedIn,
  name: 'easypostShipment',
  method: 'GET',
  path: '/v2/shipments/:id',
  scope: 'labels:buy',
  summary: 'A shipment by its id or its reference',
  params: Params,
  response: EasypostShipment,
})

export const easypostShipments = defineEndpoint({
  ...signedIn,
  name: 'easypostShipments',
  method: 'GET',
  path: '/v2/shipments',
  scope: 'labels:buy',
  summary: 'List bought shipments, newest first; with purchased=false the others too',
  query: lenientQuery(ListFields.extend({ purchased: z.string().max(10).optional() })),
  response: z.object({ shipments: z.array(EasypostShipment), has_more: HasMore }),
})

export const easypostRerate = defineEndpoint({
  ...signedIn,
  name: 'easypostRerate',
  method: 'POST',
  path: '/v2/shipments/:id/rerate',
  scope: 'labels:buy',
  summary: 'Rate a shipment again at the prices of now',
  params: Params,
  response: z.object({ rates: z.array(EasypostRate) }),
})

export const easypostBuy = defineEndpoint({
  ...signedIn,
  name: 'easypostBuy',
  method: 'POST',
  path: '/v2/shipments/:id/buy',
  scope: 'labels:buy',
  summary: 'Buy a shipment at a rate, once ever',
  otherStatuses: {
    402: 'Insufficient balance',
    504: 'The carrier has not answered; the shipment tells later',
  },
  params: Params,
  body: BuyBody,
  response: EasypostShipment,
})

export const easypostLabel = defineEndpoint({
  ...signedIn,
  name: 'easypostLabel',
  method: 'GET',
  path: '/v2/shipments/:id/label',
  scope: 'labels:buy',
  summary: 'The shipment with the address of its label in a format: PDF, PNG or ZPL',
  params: Params,
  query: lenientQuery(z.object({ file_format: z.string().max(10).optional() })),
  response: EasypostShipment,
})

export const easypostRefundShipment = defineEndpoint({
  ...signedIn,
  name: 'easypostRefundShipment',
  method: 'POST',
  path: '/v2/shipments/:id/refund',
  scope: 'labels:void',
  summary: 'Void the label of a shipment. Its price comes back when the carrier confirms',
  params: Params,
  response: EasypostShipment,
})

export const easypostCreateRefunds = defineEndpoint({
  ...signedIn,
  name: 'easypostCreateRefunds',
  method: 'POST',
  path: '/v2/refunds',
  scope: 'labels:void',
  summary: 'Void labels by their tracking numbers',
  body: CreateRefundBody,
  response: z.array(EasypostRefund),
  status: 201,
})

export const easypostRefunds = defineEndpoint({
  ...signedIn,
  name: 'easypostRefunds',
  method: 'GET',
  path: '/v2/refunds',
  scope: 'labels:void',
  summary: 'List refunds that were asked for here, newest first',
  query: ListQuery,
  response: z.object({ refunds: z.array(EasypostRefund), has_more: HasMore }),
})

export const easypostRefund = defineEndpoint({
  ...signedIn,
  name: 'easypostRefund',
  method: 'GET',
  path: '/v2/refunds/:id',
  scope: 'labels:void',
  summary: 'A refund by its id',
  params: Params,
  response: EasypostRefund,
})

export const easypostCreateTracker = defineEndpoint({
  ...signedIn,
  name: 'easypostCreateTracker',
  method: 'POST',
  path: '/v2/trackers',
  scope: 'labels:read',
  readOnly: true,
  summary: 'The tracker of a label that was bought here',
  body: CreateTrackerBody,
  response: EasypostTracker,
})

export const easypostTrackersOf = defineEndpoint({
  ...signedIn,
  name: 'easypostTrackersOf',
  method: 'POST',
  path: '/v2/trackers/batch',
  scope: 'labels:read',
  readOnly: true,
  summary: 'The trackers of several labels that were bought here',
  body: TrackersBody,
  response: z.object({ trackers: z.array(EasypostTracker), has_more: HasMore }),
})

export const easypostTrackers = defineEndpoint({
  ...signedIn,
  name: 'easypostTrackers',
  method: 'GET',
  path: '/v2/trackers',
  scope: 'labels:read',
  summary: 'List the trackers of all bought labels, newest first, or of tracking_codes',
  query: TrackersQuery,
  response: z.object({ trackers: z.array(EasypostTracker), has_more: HasMore }),
})

export const easypostTracker = defineEndpoint({
  ...signedIn,
  name: 'easypostTracker',
  method: 'GET',
  path: '/v2/trackers/:id',
  scope: 'labels:read',
  summary: 'A tracker by its id',
  params: Params,
  response: EasypostTracker,
})

/** 1,000 shipments with two addresses each. */
const BATCH_BODY_LIMIT = 2 * 1024 * 1024

export const easypostCreateBatch = defineEndpoint({
  ...signedIn,
  name: 'easypostCreateBatch',
  method: 'POST',
  path: '/v2/batches',
  scope: 'labels:buy',
  summary: 'Make a batch, of new shipments or of those with an id',
  body: CreateBatchBody,
  bodyLimit: BATCH_BODY_LIMIT,
  response: EasypostBatch,
})

export const easypostBatches = defineEndpoint({
  ...signedIn,
  name: 'easypostBatches',
  method: 'GET',
  path: '/v2/batches',
  scope: 'labels:buy',
  summary: 'List batches, newest first',
  query: ListQuery,
  response: z.object({ batches: z.array(EasypostBatch), has_more: HasMore }),
})

export const easypostBatch = defineEndpoint({
  ...signedIn,
  name: 'easypostBatch',
  method: 'GET',
  path: '/v2/batches/:id',
  scope: 'labels:buy',
  summary: 'A batch by its id',
  params: Params,
  response: EasypostBatch,
})

const changeBatch = {
  ...signedIn,
  method: 'POST',
  scope: 'labels:buy',
  params: Params,
  response: EasypostBatch,
} as const

export const easypostAddShipments = defineEndpoint({
  ...changeBatch,
  name: 'easypostAddShipments',
  path: '/v2/batches/:id/add_shipments',
  summary: 'Add shipments to a batch',
  body: BatchShipmentsBody,
})

export const easypostRemoveShipments = defineEndpoint({
  ...changeBatch,
  name: 'easypostRemoveShipments',
  path: '/v2/batches/:id/remove_shipments',
  summary: 'Take shipments out of a batch',
  body: BatchShipmentsBody,
})

export const easypostBuyBatch = defineEndpoint({
  ...changeBatch,
  name: 'easypostBuyBatch',
  path: '/v2/batches/:id/buy',
  summary: 'Buy the shipments of a batch; answered at once, bought in the background',
})

export const easypostBatchLabel = defineEndpoint({
  ...changeBatch,
  name: 'easypostBatchLabel',
  path: '/v2/batches/:id/label',
  summary: 'The labels of a batch as one file: PDF or ZPL',
  body: LabelFormatBody,
})

/** The signature in the name authorizes: the user of a program opens it without a key. */
export const easypostLabelFile = defineEndpoint({
  name: 'easypostLabelFile',
  method: 'GET',
  path: '/v2/labels/:name',
  access: 'anyone',
  summary: 'A label by the address that a shipment or batch gave; it ends after 30 days',
  params: z.object({ name: z.string().max(200) }),
  query: AnyQuery,
  fileTypes: ['application/pdf', 'image/png', 'application/zpl'],
  response: z.any(),
})
