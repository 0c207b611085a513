/** Passkeys: Web Authentication Level 3, verified by @simplewebauthn/server. */
import { createHmac } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '#contract/passkeys.ts'
import { PRODUCT } from '#contract/product.ts'
import type { PasskeyFactor } from './second-factor-store.ts'

const TIMEOUT_MS = 5 * 60_000
/** COSE: EdDSA, ECDSA with P-256 and SHA-256, RSA with SHA-256. */
const ALGORITHMS = [-8, -7, -257]
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** Where passkeys belong to: they are bound to a host name, and a browser offers them only there. */
export type PasskeySite = { host: string; origin: string; problem: string | null }

/**
 * The site of the public address. Of a loopback address it is `localhost`, since an IP address
 * cannot have passkeys.
 */
export function passkeySite(publicUrl: string): PasskeySite {
  const url = new URL(publicUrl)
  if (isLoopbackAddress(url)) url.hostname = 'localhost'
  const { hostname: host, origin } = url
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  const problem = isAddress(host)
    ? `Passkeys need a site with a name, and this one is at the IP address ${host}. Use an authenticator app.`
    : url.protocol !== 'https:' && !isLocal
      ? 'Passkeys need https, and this site is not encrypted. Use an authenticator app.'
      : null
  return { host, origin, problem }
}

/**
 * As `passkeySite().problem`, for a page at `requestHost` ('127.0.0.1:3000'): on one machine
 * the same server answers at two addresses, and passkeys work at one of them.
 */
export function passkeyProblem(publicUrl: string, requestHost: string): string | null {
  const { origin, problem } = passkeySite(publicUrl)
  if (problem || !isLoopbackAddress(new URL(publicUrl))) return problem
  return isAddress(requestHost.replace(/:\d+$/, ''))
    ? `Passkeys don’t work on an IP address. Open ${origin} instead.`
    : null
}

/** An IP address as a URL has it: IPv4 with four numbers, IPv6 in brackets. */
const isAddress = (host: string): boolean => /^(\d+(\.\d+){3}|\[.*\])$/.test(host)
const isLoopbackAddress = ({ hostname }: URL): boolean =>
  /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]'

/** What a passkey signs for a challenge of a sign-in, which is a secret of its own. */
export const passkeyChallengeFor = (challenge: string): string =>
  createHmac('sha256', challenge).update('passkey').digest('base64url')

/** `passkeys`: empty for a sign-in by passkey alone, where the browser knows which ones there are. */
export const requestOptions = (
  { host }: PasskeySite,
  challenge: string,
  passkeys: PasskeyFactor[],
  userVerification: 'preferred' | 'required',
): PasskeyRequestOptions => ({
  challenge,
  timeout: TIMEOUT_MS,
  rpId: host,
  userVerification,
  ...(passkeys.length > 0 && { allowCredentials: passkeys.map(descriptor) }),
})

/** `handle`: tells the user's passkeys of this installation from others of the same host. */
export const creationOptions = (
  { host }: PasskeySite,
  challenge: string,
  user: { email: string; name: string; handle: Buffer },
  registered: PasskeyFactor[],
): PasskeyCreationOptions => ({
  rp: { id: host, name: PRODUCT },
  user: {
    id: user.handle.toString('base64url'),
    name: user.email,
    displayName: user.name,
  },
  challenge,
  timeout: TIMEOUT_MS,
  pubKeyCredParams: ALGORITHMS.map(alg => ({ alg, type: 'public-key' })),
  excludeCredentials: registered.map(descriptor),
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  attestation: 'none',
})

const descriptor = ({ credentialId, transports }: PasskeyFactor) => ({
  id: credentialId.toString('base64url'),
  type: 'public-key' as const,
  transports: knownTransports(transports),
})

const knownTransports = (names: readonly string[]) =>
  TRANSPORTS.filter(known => names.includes(known))

/** The challenge that a browser's answer is about, not verified; null for an unreadable answer. */
export function challengeIn({ response }: PasskeyAssertion | PasskeyRegistration): string | null {
  try {
    const data: unknown = JSON.parse(
      Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'),
    )
    const { challenge } = data as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

// Loaded when the first passkey is verified: it takes 30 MB and a third of a second.
const verifier = () => import('./passkey-library.ts')

export type VerifiedRegistration = {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  backedUp: boolean
}

/** Null when it does not verify. */
export async function verifyRegistration(
  { host, origin }: PasskeySite,
  challenge: string,
  { response, ...credential }: PasskeyRegistration,
): Promise<VerifiedRegistration | null> {
  const { verifyNewPasskey } = await verifier()
  const { clientDataJSON, attestationObject, transports } = response
  const verified = await verifyNewPasskey({
    response: {
      ...credential,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  if (!verified?.verified) return null
  const { credential: key, credentialBackedUp } = verified.registrationInfo
  return {
    credentialId: Buffer.from(key.id, 'base64url'),
    publicKey: Buffer.from(key.publicKey),
    counter: key.counter,
    transports: knownTransports(transports ?? []),
    backedUp: credentialBackedUp,
  }
}

export type VerifiedAssertion = { counter: number; backedUp: boolean }

/** `userVerification` 'required': the device must have asked for a PIN, a finger or a face. */
export async function verifyAssertion(
  { host, origin }: PasskeySite,
  challenge: string,
  passkey: PasskeyFactor,
  { response, ...credential }: PasskeyAssertion,
  userVerification: 'preferred' | 'required',
): Promise<VerifiedAssertion | null> {
  const { verifyAssertionResponse } = await verifier()
  const { clientDataJSON, authenticatorData, signature } = response
  const verified = await verifyAssertionResponse({
    response: {
      ...credential,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: userVerification === 'required',
  }).catch(() => null)
  if (!verified?.verified) return null
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { counter: newCounter, backedUp: credentialBackedUp }
}
