/** What a browser exchanges about passkeys: the JSON forms of Web Authentication Level 3. */
import * as z from 'zod'

const base64url = (max: number) => z.string().max(max)
const PublicKey = z.literal('public-key')
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const Verification = z.enum(['discouraged', 'preferred', 'required'])
const Descriptor = z.object({
  id: z.string(),
  type: PublicKey,
  transports: z.array(z.enum(TRANSPORTS)).optional(),
})

/** For `navigator.credentials.get`. `timeout` in ms. */
export const PasskeyRequestOptions = z.object({
  challenge: z.string(),
  timeout: z.number().optional(),
  rpId: z.string().optional(),
  allowCredentials: z.array(Descriptor).optional(),
  userVerification: Verification.optional(),
})
export type PasskeyRequestOptions = z.output<typeof PasskeyRequestOptions>

/** For `navigator.credentials.create`. `timeout` in ms. */
export const PasskeyCreationOptions = z.object({
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: PublicKey })),
  timeout: z.number().optional(),
  excludeCredentials: z.array(Descriptor).optional(),
  authenticatorSelection: z
    .object({
      residentKey: z.enum(['discouraged', 'preferred', 'required']).optional(),
      requireResidentKey: z.boolean().optional(),
      userVerification: Verification.optional(),
    })
    .optional(),
  attestation: z.enum(['none']).optional(),
  extensions: z.object({ credProps: z.boolean().optional() }).optional(),
})
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>

const Credential = z.object({ id: base64url(1400), rawId: base64url(1400), type: PublicKey })

/** The answer of `navigator.credentials.get`. */
export const PasskeyAssertion = Credential.extend({
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(2000),
    userHandle: base64url(200).nullish(),
  }),
})
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>

/** The answer of `navigator.credentials.create`. */
export const PasskeyRegistration = Credential.extend({
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(40_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export type PasskeyRegistration = z.output<typeof PasskeyRegistration>
