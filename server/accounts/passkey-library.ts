/** The library that verifies passkeys, as one module: the bundle loads its parts in their order. */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'

export const verifyAssertionResponse = verifyAuthenticationResponse

/**
 * Verifies a new passkey without its attestation statement. The site never asks for one, and the
 * library would fetch from addresses in the certificates that a caller sends. Rejects if the passkey
 * is not valid.
 */
export const verifyNewPasskey: typeof verifyRegistrationResponse = async options => {
  const { response } = options.response
  const attestationObject = withoutStatement(response.attestationObject)
  return verifyRegistrationResponse({
    ...options,
    response: { ...options.response, response: { ...response, attestationObject } },
  })
}

function withoutStatement(attestationObject: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const none = { fmt: 'none', attStmt: new Map(), authData }
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(none))))
}
