import * as z from 'zod'
import { defineEndpoint, DollarsOutput, MessageResponse, Moment } from './endpoint.ts'
import { AccountRunway } from './reports.ts'

export const carrierBalance = defineEndpoint({
  name: 'carrierBalance',
  method: 'GET',
  path: '/api/auth/api/balance',
  access: 'admin',
  summary:
    'Get the balance of the first carrier account in dollars; null if the carrier does not report it',
  response: z.object({ balance: DollarsOutput.nullable() }),
})

/** The history of a long journey is 40 kB. */
const MESSAGE_BODY_LIMIT = 256 * 1024

export const carrierMessage = defineEndpoint({
  name: 'carrierMessage',
  method: 'POST',
  path: '/api/carriers/:carrier/messages',
  access: 'anyone',
  rawBody: true,
  bodyLimit: MESSAGE_BODY_LIMIT,
  refusals: [404],
  summary:
    'Receive a message of the carrier about a parcel, signed by the carrier. The parcel is looked up there afterwards',
  otherStatuses: { 401: 'Signature missing or invalid' },
  params: z.object({ carrier: z.string().max(20) }),
  response: z.object({ ok: z.literal(true) }),
})

export const sandboxPurchases = defineEndpoint({
  name: 'sandboxPurchases',
  method: 'GET',
  path: '/api/sandbox/carrier/purchases',
  access: 'admin',
  summary: 'Sandbox only: list labels sold by the carrier',
  query: z.object({ reference: z.string().max(100).optional() }),
  response: z.object({
    purchases: z.array(
      z.object({
        reference: z.string(),
        round: z.number(),
        trackingNumber: z.string(),
        boughtAt: Moment,
        voidedAt: Moment.nullable(),
      }),
    ),
  }),
})

export const retryCarrier = defineEndpoint({
  name: 'retryCarrier',
  method: 'POST',
  path: '/api/admin/carrier/try',
  access: 'admin',
  refusals: [404, 409],
  summary:
    'Resume purchases now after a carrier account problem: of the named account, or of the first that has one. 409 if there is none',
  query: z.object({ account: z.string().max(20).optional() }),
  response: MessageResponse,
})

/**
 * `name`: in the configuration. `account`: at the carrier, without secrets. `mode`: of a key for tests no label is postage.
 * `state`: paused by a problem of the account, paused until an administrator resumes, not answering, or working; `reason` and
 * `since`: of a pause; `nextTry`: when the next label tries it by itself. `perMinute`: calls that it takes; null without a limit.
 */
const CarrierAccount = z.object({
  name: z.string(),
  carrier: z.string(),
  account: z.string(),
  mode: z.enum(['sandbox', 'test', 'live']),
  state: z.enum(['working', 'problem', 'losses', 'silent']),
  reason: z.string().nullable(),
  since: Moment.nullable(),
  nextTry: Moment.nullable(),
  perMinute: z.number().nullable(),
  runway: AccountRunway,
})
export type CarrierAccount = z.output<typeof CarrierAccount>

const AccountName = z.string().min(1).max(20)
/** `second`: null without one. */
const Sources = z.object({ first: AccountName, second: AccountName.nullable() })

const ServiceSources = Sources.extend({ uid: z.string(), name: z.string() })
export type ServiceSources = z.output<typeof ServiceSources>

export const listCarrierAccounts = defineEndpoint({
  name: 'listCarrierAccounts',
  method: 'GET',
  path: '/api/admin/carrier/accounts',
  access: 'admin',
  summary:
    'List the carrier accounts with their state and balance, and through which of them each service is sold',
  response: z.object({
    accounts: z.array(CarrierAccount),
    services: z.array(ServiceSources),
  }),
})

export const setServiceSources = defineEndpoint({
  name: 'setServiceSources',
  method: 'PUT',
  path: '/api/admin/carrier/sources',
  access: 'admin',
  proof: true,
  refusals: [404, 409, 422],
  summary:
    'Set through which carrier account a service is sold, and which one takes labels that were certainly not sold while the first is down',
  // `seen`: the sources when the editor was opened; 409 if they have changed since.
  body: z.object({ uid: z.string().max(100), sources: Sources, seen: Sources.optional() }),
  response: MessageResponse.extend({ service: ServiceSources }),
})
