/** Keys of a user: made, replaced and deleted by the user in person, never with a key. */
import * as z from 'zod'
import {
  defineEndpoint,
  DollarsInput,
  DollarsOutput,
  Id,
  MessageResponse,
  Moment,
  MomentInput,
  UserParams,
} from './endpoint.ts'
import { MAX_GRACE_HOURS, MAX_KEYS, SCOPES } from './keys.ts'

/**
 * `prefix` and `last4`: the beginning and the end of the key. `dailyLimit`: most dollars that it
 * orders labels for in a day (UTC), null without a limit; `spentToday`: of that. `expiresAt`: null
 * without an end. `replacedBy`: the newer key; this one works until `expiresAt`.
 */
export const ApiKey = z.object({
  _id: Id,
  name: z.string(),
  prefix: z.string(),
  last4: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  dailyLimit: DollarsOutput.nullable(),
  spentToday: DollarsOutput.nullable(),
  createdAt: Moment,
  expiresAt: Moment.nullable(),
  lastUsedAt: Moment.nullable(),
  replacedBy: Id.nullable(),
})
export type ApiKey = z.output<typeof ApiKey>

/** `key`: the whole key, in this answer alone. */
const NewApiKey = ApiKey.extend({ key: z.string() })
export type NewApiKey = z.output<typeof NewApiKey>

const KEYS = '/api/keys/:userId'
const KeyParams = UserParams.extend({ keyId: Id })
const InPerson = { access: 'self', proof: true, refusesImpersonation: true } as const

export const listKeys = defineEndpoint({
  name: 'listKeys',
  method: 'GET',
  path: KEYS,
  access: 'self',
  isPersonal: true,
  summary: 'List the keys of a user, newest first',
  params: UserParams,
  response: z.object({ keys: z.array(ApiKey) }),
})

export const createKey = defineEndpoint({
  ...InPerson,
  name: 'createKey',
  method: 'POST',
  path: KEYS,
  refusals: [409, 422],
  summary: `Create a key. It is shown in this answer alone. At most ${MAX_KEYS} per user`,
  params: UserParams,
  body: z.object({
    name: z.string().max(1000),
    scopes: z.array(z.enum(SCOPES)).max(SCOPES.length),
    dailyLimit: DollarsInput.nullish(),
    expiresAt: MomentInput.nullish(),
  }),
  response: NewApiKey,
})

export const rotateKey = defineEndpoint({
  ...InPerson,
  name: 'rotateKey',
  method: 'POST',
  path: `${KEYS}/:keyId/rotate`,
  refusals: [404, 409],
  summary:
    'Replace a key by a new one of the same name, scopes, limit and lifetime. The old one works for graceHours more',
  params: KeyParams,
  body: z.object({ graceHours: z.int().min(0).max(MAX_GRACE_HOURS) }),
  response: NewApiKey,
})

export const deleteKey = defineEndpoint({
  ...InPerson,
  name: 'deleteKey',
  method: 'DELETE',
  path: `${KEYS}/:keyId`,
  refusals: [404],
  summary: 'Delete a key. It is refused from now on; its labels stay',
  params: KeyParams,
  response: MessageResponse,
})

/** What a program needs to know to make the other calls. */
export const currentKey = defineEndpoint({
  name: 'currentKey',
  method: 'GET',
  path: '/api/key',
  access: 'signed-in',
  scope: 'any',
  refusals: [404],
  summary: 'Get the key that makes the call, and the id of its user. 404 without a key',
  response: z.object({ userId: Id, mode: z.enum(['test', 'live']), key: ApiKey }),
})
