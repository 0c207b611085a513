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

/** The heaviest parcel in pounds where a service does not say otherwise (specification, 9). */
export const DEFAULT_MAX_WEIGHT = 70

/** A service as the carrier offers it. */
export const RawService = z.object({
  uid: z.string(),
  name: z.string(),
  category: z.string(),
  maxWeight: z.number(),
})
export type RawService = z.output<typeof RawService>

/** A service a user may buy now. */
export const AvailableService = z.object({
  uid: z.string(),
  name: z.string(),
  category: z.string().default('Other'),
  maxWeight: z.number().default(DEFAULT_MAX_WEIGHT),
})
export type AvailableService = z.output<typeof AvailableService>

/** Whole pounds from and to, both inside; price in dollars. */
export const PriceRange = z.object({
  fromWeight: z.number(),
  toWeight: z.number(),
  price: DollarsOutput,
})
export type PriceRange = z.output<typeof PriceRange>

const PriceRangeInput = z.object({
  fromWeight: z.number(),
  toWeight: z.number(),
  price: DollarsInput,
})

/** A default service or a user's own. `status`: still offered by the carrier; `enabled`: may be bought. */
export const ConfiguredService = z.object({
  _id: Id,
  uid: z.string(),
  name: z.string(),
  category: z.string(),
  maxWeight: z.number(),
  status: z.boolean(),
  enabled: z.boolean(),
  prices: z.array(PriceRange),
})
export type ConfiguredService = z.output<typeof ConfiguredService>

/** `seenPrices`: those that were there when the editor was opened; 409 when somebody has set others since. */
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
  method: 'GET',
  path: '/api/rawServices',
  access: 'admin',
  summary: 'Services as the carrier offers them',
  response: z.array(RawService),
})

export const defaultServices = defineEndpoint({
  method: 'GET',
  path: '/api/defaultServices',
  access: 'admin',
  summary: 'The default catalogue',
  response: z.array(ConfiguredService),
})

export const toggleDefaultService = defineEndpoint({
  method: 'PATCH',
  path: '/api/defaultServices/:id/toggle',
  access: 'admin',
  summary: 'Switch a default service on or off',
  params: z.object({ id: Id }),
  body: EnabledBody,
  response: ServiceResponse,
})

export const setDefaultServicePrices = defineEndpoint({
  method: 'PUT',
  path: '/api/defaultServices/:id/prices',
  access: 'admin',
  summary: 'Replace the price ranges of a default service',
  params: z.object({ id: Id }),
  body: PricesBody,
  response: ServiceResponse,
})

export const renameDefaultService = defineEndpoint({
  method: 'PUT',
  path: '/api/defaultServices/:id/name',
  access: 'admin',
  summary: 'Rename a default service',
  params: z.object({ id: Id }),
  body: NameBody,
  response: ServiceResponse,
})

/** Prices as they once were. `setBy`: null where nobody set them but the first start did. */
export const PriceVersion = z.object({
  version: z.number(),
  prices: z.array(PriceRange),
  setBy: z.object({ _id: Id, name: z.string() }).nullable(),
  createdAt: Moment,
})
export type PriceVersion = z.output<typeof PriceVersion>

export const defaultServicePriceVersions = defineEndpoint({
  method: 'GET',
  path: '/api/defaultServices/:id/versions',
  access: 'admin',
  summary: 'All prices a default service ever had, newest first',
  params: z.object({ id: Id }),
  response: z.array(PriceVersion),
})

export const userServicePriceVersions = defineEndpoint({
  method: 'GET',
  path: '/api/userServices/:userId/:serviceId/versions',
  access: 'admin',
  summary: 'All prices a user’s service ever had, newest first',
  params: ServiceParams,
  response: z.array(PriceVersion),
})

export const syncDefaultServices = defineEndpoint({
  method: 'POST',
  path: '/api/defaultServices/sync',
  access: 'admin',
  summary:
    'Take over new services of the carrier and mark vanished ones; edited names and prices stay',
  response: z.array(ConfiguredService),
})

export const availableServices = defineEndpoint({
  method: 'GET',
  path: '/api/userServices/:userId/available',
  access: 'self',
  summary: 'Services this user may buy now',
  params: UserParams,
  response: z.array(AvailableService),
})

export const userServices = defineEndpoint({
  method: 'GET',
  path: '/api/userServices/:userId',
  access: 'self',
  summary: 'This user’s own services; empty while he has the defaults',
  params: UserParams,
  response: z.array(ConfiguredService),
})

export const initializeUserServices = defineEndpoint({
  method: 'POST',
  path: '/api/userServices/:userId/initialize',
  access: 'self',
  adminMayWrite: true,
  summary:
    'Administrators copy the defaults to this user, once; the user himself is told the services that count for him',
  params: UserParams,
  response: z.array(ConfiguredService),
})

export const setUserServicePrices = defineEndpoint({
  method: 'PUT',
  path: '/api/userServices/:userId/:serviceId/prices',
  access: 'admin',
  summary: 'Replace the price ranges of a user’s service',
  params: ServiceParams,
  body: PricesBody,
  response: ServiceResponse,
})

export const toggleUserService = defineEndpoint({
  method: 'PATCH',
  path: '/api/userServices/:userId/:serviceId/toggle',
  access: 'admin',
  summary: 'Switch a user’s service on or off',
  params: ServiceParams,
  body: EnabledBody,
  response: ServiceResponse,
})

export const renameUserService = defineEndpoint({
  method: 'PUT',
  path: '/api/userServices/:userId/:serviceId/name',
  access: 'admin',
  summary: 'Rename a user’s service',
  params: ServiceParams,
  body: NameBody,
  response: ServiceResponse,
})
