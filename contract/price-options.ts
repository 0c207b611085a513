/** One parcel priced with every service of a user, and many parcels as one total for each service. */
import * as z from 'zod'
import {
  defineEndpoint,
  DollarsInput,
  DollarsOutput,
  Id,
  MessageResponse,
  UserParams,
} from './endpoint.ts'
import { OptionOffer, Signature } from './label-options.ts'

const Measure = z.union([z.number(), z.string().max(100)]).nullish()
const Zip = z.string().max(20).nullish()

/** Pounds and inches; the ZIP codes decide prices by zone. What is missing or empty is unknown. */
export const ParcelToPrice = z.object({
  weight: Measure,
  length: Measure,
  width: Measure,
  height: Measure,
  fromZip: Zip,
  toZip: Zip,
})
export type ParcelToPrice = z.output<typeof ParcelToPrice>

const Reason = z.object({ code: z.string(), text: z.string() })

/**
 * `price`: null where the service does not take this parcel, and `reason` says why. `maxWeight` in
 * lb. `deliveryDays`: business days as the carrier publishes them; absent where it does not.
 */
export const ServiceOption = z.object({
  uid: z.string(),
  name: z.string(),
  category: z.string(),
  price: DollarsOutput.nullable(),
  maxWeight: z.number(),
  deliveryDays: z.object({ from: z.number(), to: z.number() }).optional(),
  reason: Reason.nullable(),
  signature: OptionOffer,
  adult: OptionOffer,
  saturday: OptionOffer,
})
export type ServiceOption = z.output<typeof ServiceOption>

const PriceOptions = z.object({ options: z.array(ServiceOption) })

const SUMMARY =
  'Price one parcel with all services of a user: price or reason, limit, days, signature and Saturday. '
  + 'An unknown weight is priced as 1 lb'

export const priceOptions = defineEndpoint({
  name: 'priceOptions',
  method: 'GET',
  path: '/api/orders/price/options/:userId',
  access: 'self',
  scope: 'labels:read',
  refusals: [404],
  summary: SUMMARY,
  params: UserParams,
  query: ParcelToPrice,
  response: PriceOptions,
})

export const priceParcelOptions = defineEndpoint({
  name: 'priceParcelOptions',
  method: 'POST',
  path: '/api/orders/price/options/:userId',
  access: 'self',
  scope: 'labels:read',
  readOnly: true,
  refusals: [404],
  summary: SUMMARY,
  params: UserParams,
  body: ParcelToPrice,
  response: PriceOptions,
})

export const MAX_TOTALED_PARCELS = 50_000

/** `count`: how many parcels are the same; 1 by default. Prices contain what their labels ask for. */
export const ParcelToTotal = ParcelToPrice.extend({
  signature: Signature.nullish(),
  saturday: z.boolean().nullish(),
  count: z.number().int().min(1).max(MAX_TOTALED_PARCELS).optional(),
})
export type ParcelToTotal = z.output<typeof ParcelToTotal>

/** Of one service. `labels`: parcels that it takes; `total`: their prices in dollars. */
const ServiceTotal = z.object({
  uid: z.string(),
  name: z.string(),
  deliveryDays: z.object({ from: z.number(), to: z.number() }).optional(),
  total: DollarsOutput,
  labels: z.number(),
  // Why it does not take the first of the others.
  reason: Reason.nullable(),
})
export type ServiceTotal = z.output<typeof ServiceTotal>

export const priceTotals = defineEndpoint({
  name: 'priceTotals',
  method: 'POST',
  path: '/api/orders/price/totals/:userId',
  access: 'self',
  scope: 'labels:read',
  readOnly: true,
  refusals: [404, 422],
  summary:
    'Total many parcels with each service of a user, and with the cheapest service that takes each of them. '
    + 'choices: for each parcel the place of its cheapest service in services, null where none takes it',
  params: UserParams,
  body: z.object({ parcels: z.array(ParcelToTotal).max(MAX_TOTALED_PARCELS) }),
  streamedList: 'parcels',
  /** 50,000 parcels of 160 bytes. */
  bodyLimit: 8 * 1024 * 1024,
  response: z.object({
    services: z.array(ServiceTotal),
    cheapest: z.object({
      total: DollarsOutput,
      labels: z.number(),
      choices: z.array(z.number().nullable()),
    }),
  }),
})

/** `offered`: by the carrier. `price`: in dollars, null while the operator sells it not. */
const OptionPrice = z.object({ offered: z.boolean(), price: DollarsOutput.nullable() })

const ServiceOptionPrices = z.object({
  _id: Id,
  uid: z.string(),
  signature: OptionPrice,
  adult: OptionPrice,
  saturday: OptionPrice,
})
export type ServiceOptionPrices = z.output<typeof ServiceOptionPrices>

export const optionPrices = defineEndpoint({
  name: 'optionPrices',
  method: 'GET',
  path: '/api/defaultServices/options',
  access: 'admin',
  summary: 'List what signature and Saturday delivery cost with each default service',
  response: z.array(ServiceOptionPrices),
})

const OptionPricesInput = z.object({
  signature: DollarsInput.nullable(),
  adult: DollarsInput.nullable(),
  saturday: DollarsInput.nullable(),
})

export const setOptionPrices = defineEndpoint({
  name: 'setOptionPrices',
  method: 'PUT',
  path: '/api/defaultServices/:id/options',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary:
    'Set what signature and Saturday delivery cost with a default service, for all users; null: not offered',
  params: z.object({ id: Id }),
  // `seenPrices`: the prices when the editor was opened; 409 if they have changed since.
  body: z.object({ prices: OptionPricesInput, seenPrices: OptionPricesInput.optional() }),
  response: MessageResponse.extend({ service: ServiceOptionPrices }),
})
