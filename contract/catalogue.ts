import * as z from 'zod'
import {
  defineEndpoint,
  MessageResponse,
  DollarsInput,
  DollarsOutput,
  Id,
  Moment,
  UserParams,
} from './endpoint.ts'
import { OptionOffer } from './label-options.ts'
import { PriceRuleWire } from './price-rules.ts'

/** Heaviest parcel in lb, where a service has no limit of its own. */
export const DEFAULT_MAX_WEIGHT = 70

/** A service as offered by the carrier; `maxWeight` in lb. */
export const RawService = z.object({
  uid: z.string(),
  name: z.string(),
  category: z.string(),
  maxWeight: z.number(),
})
export type RawService = z.output<typeof RawService>

/** `deliveryDays`: business days as the carrier publishes them, no promise; absent where it does not. */
export const AvailableService = z.object({
  uid: z.string(),
  name: z.string(),
  category: z.string().default('Other'),
  maxWeight: z.number().default(DEFAULT_MAX_WEIGHT),
  deliveryDays: z.object({ from: z.number(), to: z.number() }).optional(),
  // True where the price depends on size or ZIP codes too, not on the weight alone.
  pricedByParcel: z.boolean().optional(),
  // True where the carrier is asked for the price of each parcel: its whole ZIP codes count.
  pricedByCarrier: z.boolean().optional(),
  // What a label may ask for beside the service.
  options: z
    .object({ signature: OptionOffer, adult: OptionOffer, saturday: OptionOffer })
    .optional(),
})
export type AvailableService = z.output<typeof AvailableService>

/** Whole pounds, inclusive; price in dollars. */
export const PriceRange = z.object({
  fromWeight: z.number(),
  toWeight: z.number(),
  price: DollarsOutput,
})
export type PriceRange = z.output<typeof PriceRange>

/**
 * Prices with steps below a pound, zones or dimensional weight. `steps`: lightest first, each up to
 * `toOz` ounces; `prices`: at 0 for any zone, at 1 to 9 for the zones, null where there is none.
 * `dimDivisor`: cubic inches per pound.
 */
export const PriceTableWire = z.object({
  steps: z.array(z.object({ toOz: z.number(), prices: z.array(DollarsOutput.nullable()) })),
  dimDivisor: z.number().nullable(),
})
export type PriceTableWire = z.output<typeof PriceTableWire>

const PriceRangeInput = z.object({
  fromWeight: z.number(),
  toWeight: z.number(),
  price: DollarsInput,
})

/**
 * A default service or a user's own. `status`: still offered by the carrier; `enabled`: for sale.
 * With a `table`, `prices` has the highest price of each pound. With a `rule`, they follow from the
 * operator's costs.
 */
export const ConfiguredService = z.object({
  _id: Id,
  uid: z.string(),
  name: z.string(),
  category: z.string(),
  maxWeight: z.number(),
  status: z.boolean(),
  enabled: z.boolean(),
  prices: z.array(PriceRange),
  table: PriceTableWire.nullable(),
  rule: PriceRuleWire.nullable(),
})
export type ConfiguredService = z.output<typeof ConfiguredService>

/** `seenPrices`: the prices when the editor was opened; 409 if they have changed since. */
const PricesBody = z.object({
  prices: z.array(PriceRangeInput).max(1000),
  seenPrices: z.array(PriceRangeInput).max(1000).optional(),
})
const EnabledBody = z.object({ enabled: z.boolean() })
const NameBody = z.object({ name: z.string().max(1000) })
const ServiceParams = UserParams.extend({ serviceId: Id })
const ServiceResponse = MessageResponse.extend({
  service: ConfiguredService,
  prices: z.array(PriceRange),
})

export const rawServices = defineEndpoint({
  name: 'rawServices',
  method: 'GET',
  path: '/api/rawServices',
  access: 'admin',
  summary: 'List services offered by the carrier',
  response: z.array(RawService),
})

export const defaultServices = defineEndpoint({
  name: 'defaultServices',
  method: 'GET',
  path: '/api/defaultServices',
  access: 'admin',
  summary: 'List default services',
  response: z.array(ConfiguredService),
})

export const toggleDefaultService = defineEndpoint({
  name: 'toggleDefaultService',
  method: 'PATCH',
  path: '/api/defaultServices/:id/toggle',
  access: 'admin',
  proof: true,
  refusals: [404],
  summary: 'Enable or disable a default service',
  params: z.object({ id: Id }),
  body: EnabledBody,
  response: ServiceResponse,
})

export const setDefaultServicePrices = defineEndpoint({
  name: 'setDefaultServicePrices',
  method: 'PUT',
  path: '/api/defaultServices/:id/prices',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary: 'Replace the price ranges of a default service',
  params: z.object({ id: Id }),
  body: PricesBody,
  response: ServiceResponse,
})

export const renameDefaultService = defineEndpoint({
  name: 'renameDefaultService',
  method: 'PUT',
  path: '/api/defaultServices/:id/name',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary: 'Rename a default service',
  params: z.object({ id: Id }),
  body: NameBody,
  response: ServiceResponse,
})

/** `setBy`: null for the prices of the first start; `reason`: of prices from a file or a way back. */
export const PriceVersion = z.object({
  version: z.number(),
  prices: z.array(PriceRange),
  table: PriceTableWire.nullable(),
  rule: PriceRuleWire.nullable(),
  reason: z.string().nullable(),
  setBy: z.object({ _id: Id, name: z.string() }).nullable(),
  createdAt: Moment,
})
export type PriceVersion = z.output<typeof PriceVersion>

export const defaultServicePriceVersions = defineEndpoint({
  name: 'defaultServicePriceVersions',
  method: 'GET',
  path: '/api/defaultServices/:id/versions',
  access: 'admin',
  refusals: [404],
  summary: 'List all price versions of a default service, newest first',
  params: z.object({ id: Id }),
  response: z.array(PriceVersion),
})

export const userServicePriceVersions = defineEndpoint({
  name: 'userServicePriceVersions',
  method: 'GET',
  path: '/api/userServices/:userId/:serviceId/versions',
  access: 'admin',
  refusals: [404],
  summary: 'List all price versions of a user’s service, newest first',
  params: ServiceParams,
  response: z.array(PriceVersion),
})

export const syncDefaultServices = defineEndpoint({
  name: 'syncDefaultServices',
  method: 'POST',
  path: '/api/defaultServices/sync',
  access: 'admin',
  proof: true,
  summary:
    'Sync default services with the carrier: add new ones, mark vanished ones. Edited names and prices are kept',
  response: z.array(ConfiguredService),
})

export const availableServices = defineEndpoint({
  name: 'availableServices',
  method: 'GET',
  path: '/api/userServices/:userId/available',
  access: 'self',
  scope: 'labels:read',
  refusals: [404],
  summary: 'List services that a user can buy',
  params: UserParams,
  response: z.array(AvailableService),
})

export const userServices = defineEndpoint({
  name: 'userServices',
  method: 'GET',
  path: '/api/userServices/:userId',
  access: 'self',
  scope: 'labels:read',
  refusals: [404],
  summary: 'List a user’s own services; empty while the defaults apply',
  params: UserParams,
  response: z.array(ConfiguredService),
})

export const initializeUserServices = defineEndpoint({
  name: 'initializeUserServices',
  method: 'POST',
  path: '/api/userServices/:userId/initialize',
  access: 'self',
  adminMayWrite: true,
  refusals: [404],
  summary:
    'Copy the default services to a user, once, as an administrator. For other callers, list the services that apply',
  params: UserParams,
  response: z.array(ConfiguredService),
})

export const resetUserServices = defineEndpoint({
  name: 'resetUserServices',
  method: 'DELETE',
  path: '/api/userServices/:userId',
  access: 'admin',
  proof: true,
  refusals: [404],
  summary: 'Return a user to the default services',
  params: UserParams,
  response: MessageResponse,
})

export const setUserServicePrices = defineEndpoint({
  name: 'setUserServicePrices',
  method: 'PUT',
  path: '/api/userServices/:userId/:serviceId/prices',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary: 'Replace the price ranges of a user’s service',
  params: ServiceParams,
  body: PricesBody,
  response: ServiceResponse,
})

export const toggleUserService = defineEndpoint({
  name: 'toggleUserService',
  method: 'PATCH',
  path: '/api/userServices/:userId/:serviceId/toggle',
  access: 'admin',
  proof: true,
  refusals: [404],
  summary: 'Enable or disable a user’s service',
  params: ServiceParams,
  body: EnabledBody,
  response: ServiceResponse,
})

export const renameUserService = defineEndpoint({
  name: 'renameUserService',
  method: 'PUT',
  path: '/api/userServices/:userId/:serviceId/name',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary: 'Rename a user’s service',
  params: ServiceParams,
  body: NameBody,
  response: ServiceResponse,
})
