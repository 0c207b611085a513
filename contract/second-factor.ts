/** Second factors (authenticator apps, passkeys, recovery codes) and the proof before powerful calls. */
import * as z from 'zod'
import { SignedIn } from './accounts.ts'
import { defineEndpoint, Id, MessageResponse, Moment, UserParams } from './endpoint.ts'
import { PasskeyCreationOptions, PasskeyRegistration } from './passkeys.ts'
import { PasskeyAssertion, PasskeyRequestOptions } from './passkeys.ts'

export const FACTOR_KINDS = ['totp', 'passkey'] as const
export type FactorKind = (typeof FACTOR_KINDS)[number]

/** Minutes for which a proof, or a sign-in, opens the calls with `proof`. */
export const PROOF_MINUTES = 30
/** Most factors of one user, and the longest name of one, in characters. */
export const FACTORS_MAX = 10
export const FACTOR_NAME_MAX = 60

/** Six digits; spaces are ignored. */
const Code = z.string().max(40)
/** As shown, in any letter case, with or without dashes and spaces. */
const RecoveryCode = z.string().max(80)
const Challenge = z.string().max(300)
const Name = z.string().max(1000)

/**
 * Exactly one of code, passkey and recovery. 401 with a sentence for a wrong one, and for a
 * challenge that is used or older than five minutes; 429 after five wrong ones.
 */
export const loginSecond = defineEndpoint({
  name: 'loginSecond',
  method: 'POST',
  path: '/api/auth/login/second',
  access: 'anyone',
  refusals: [422],
  summary: 'Finish a sign-in that asks for a second factor',
  otherStatuses: {
    401: 'Wrong code, or the challenge has expired',
    403: 'The account is blocked',
  },
  body: z.object({
    challenge: Challenge,
    code: Code.optional(),
    passkey: PasskeyAssertion.optional(),
    recovery: RecoveryCode.optional(),
  }),
  response: SignedIn,
})

export const passkeyLoginOptions = defineEndpoint({
  name: 'passkeyLoginOptions',
  method: 'POST',
  path: '/api/auth/passkey/options',
  access: 'anyone',
  readOnly: true,
  refusals: [409],
  summary: 'Begin a sign-in by passkey alone. 409 where passkeys are not possible',
  response: z.object({ challenge: Challenge, options: PasskeyRequestOptions }),
})

export const passkeyLogin = defineEndpoint({
  name: 'passkeyLogin',
  method: 'POST',
  path: '/api/auth/passkey/login',
  access: 'anyone',
  refusals: [409],
  summary: 'Sign in by passkey alone',
  otherStatuses: { 401: 'Unknown passkey', 403: 'The account is blocked' },
  body: z.object({ challenge: Challenge, response: PasskeyAssertion }),
  response: SignedIn,
})

/** `backedUp`: a passkey that its provider synchronizes between devices; false for other kinds. */
export const Factor = z.object({
  _id: Id,
  kind: z.enum(FACTOR_KINDS),
  name: z.string(),
  createdAt: Moment,
  lastUsedAt: Moment.nullable(),
  backedUp: z.boolean(),
})
export type Factor = z.output<typeof Factor>

/** Shown once; null unless this was the first factor. */
const NewRecoveryCodes = z.array(z.string()).nullable()

const FACTORS = '/api/auth/factors/:userId'
const FactorParams = UserParams.extend({ factorId: Id })

const factorCall = {
  access: 'self',
  refusesImpersonation: true,
  beforeSecondFactor: true,
  proof: true,
} as const

/**
 * `required`: the installation requires a factor of this user. `passkeyProblem`: why passkeys are
 * not possible here, as a sentence.
 */
export const listFactors = defineEndpoint({
  name: 'listFactors',
  method: 'GET',
  path: FACTORS,
  access: 'self',
  refusesImpersonation: true,
  beforeSecondFactor: true,
  refusals: [404],
  summary: 'List second factors',
  params: UserParams,
  response: z.object({
    factors: z.array(Factor),
    recoveryCodesLeft: z.number(),
    required: z.boolean(),
    passkeysPossible: z.boolean(),
    passkeyProblem: z.string().optional(),
  }),
})

/** `secret`: base32; `uri`: otpauth://, for the QR code. Nothing counts until it is confirmed. */
export const beginTotp = defineEndpoint({
  name: 'beginTotp',
  ...factorCall,
  method: 'POST',
  path: `${FACTORS}/totp`,
  refusals: [409],
  summary: 'Begin to set up an authenticator app. It counts once a code of it is confirmed',
  params: UserParams,
  response: z.object({ secret: z.string(), uri: z.string() }),
})

export const confirmTotp = defineEndpoint({
  name: 'confirmTotp',
  ...factorCall,
  method: 'POST',
  path: `${FACTORS}/totp/confirm`,
  refusals: [409, 422],
  summary:
    'Confirm an authenticator app with a code of it. The first factor answers recovery codes',
  params: UserParams,
  body: z.object({ code: Code, name: Name.optional() }),
  response: z.object({ factor: Factor, recoveryCodes: NewRecoveryCodes }),
})

export const beginPasskey = defineEndpoint({
  name: 'beginPasskey',
  ...factorCall,
  method: 'POST',
  path: `${FACTORS}/passkey/options`,
  refusals: [409],
  summary: 'Begin to register a passkey. 409 where passkeys are not possible',
  params: UserParams,
  response: z.object({ options: PasskeyCreationOptions }),
})

export const addPasskey = defineEndpoint({
  name: 'addPasskey',
  ...factorCall,
  method: 'POST',
  path: `${FACTORS}/passkey`,
  refusals: [409, 422],
  summary: 'Register a passkey. The first factor answers recovery codes',
  params: UserParams,
  body: z.object({ name: Name, response: PasskeyRegistration }),
  response: z.object({ factor: Factor, recoveryCodes: NewRecoveryCodes }),
})

export const renameFactor = defineEndpoint({
  name: 'renameFactor',
  ...factorCall,
  method: 'PUT',
  path: `${FACTORS}/:factorId`,
  refusals: [404, 422],
  summary: 'Rename a second factor',
  params: FactorParams,
  body: z.object({ name: Name }),
  response: MessageResponse.extend({ factor: Factor }),
})

export const removeFactor = defineEndpoint({
  name: 'removeFactor',
  ...factorCall,
  method: 'DELETE',
  path: `${FACTORS}/:factorId`,
  refusals: [404, 409],
  summary:
    'Remove a second factor; all other sessions end. With the last one the recovery codes go. '
    + '409 for the last one of a user who must have one',
  params: FactorParams,
  response: MessageResponse,
})

export const renewRecoveryCodes = defineEndpoint({
  name: 'renewRecoveryCodes',
  ...factorCall,
  method: 'POST',
  path: `${FACTORS}/recovery-codes`,
  refusals: [409],
  summary: 'Replace the recovery codes. 409 without a second factor',
  params: UserParams,
  response: z.object({ recoveryCodes: z.array(z.string()) }),
})

/** What a user can prove themselves with: a factor where there is one, else the password. */
export const PROOF_METHODS = ['password', 'totp', 'passkey', 'recovery'] as const
export type ProofMethod = (typeof PROOF_METHODS)[number]

/**
 * Exactly one of the four; those that count are `methods` of the 403 `proof_required`. 422 with the
 * field for a wrong one, 429 after too many.
 */
export const prove = defineEndpoint({
  name: 'prove',
  method: 'POST',
  path: '/api/auth/proof',
  access: 'signed-in',
  refusesImpersonation: true,
  beforeSecondFactor: true,
  refusals: [409, 422],
  summary: `Confirm the identity of the signed-in user. Opens the calls that need a proof for ${PROOF_MINUTES} minutes`,
  body: z.object({
    password: z.string().max(1000).optional(),
    code: Code.optional(),
    passkey: PasskeyAssertion.optional(),
    recovery: RecoveryCode.optional(),
  }),
  response: MessageResponse,
})

/** `options`: null unless the user has a passkey. */
export const proofOptions = defineEndpoint({
  name: 'proofOptions',
  method: 'POST',
  path: '/api/auth/proof/options',
  access: 'signed-in',
  refusesImpersonation: true,
  beforeSecondFactor: true,
  summary: 'List the methods for a proof, with the options for a passkey',
  response: z.object({
    methods: z.array(z.enum(PROOF_METHODS)),
    options: PasskeyRequestOptions.nullable(),
  }),
})
