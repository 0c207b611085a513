/** Passkeys in this browser. Their library loads on first use. */
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '#contract/passkeys.ts'
import { ApiError } from '#web/client/send.ts'
import { ChunkError, importWithRetry } from '#web/shell/load-page.ts'
import { texts } from './texts.ts'

const loadLibrary = () => importWithRetry(() => import('@simplewebauthn/browser'))

/** An IPv4 address, or an IPv6 address in brackets: browsers allow no passkeys there. */
export const isIpAddress = (host: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}$/.test(host) || host.startsWith('[')

/** Why passkeys are not possible here, as a sentence; null when they are. */
export function passkeyObstacle(): string | null {
  if (isIpAddress(location.hostname)) return texts.passkey.ipAddress
  return 'PublicKeyCredential' in window ? null : texts.passkey.unsupported
}

/** Signs with a passkey. Throws when the user cancels or the device refuses: `passkeyErrorText`. */
export async function signWithPasskey(
  optionsJSON: PasskeyRequestOptions,
): Promise<PasskeyAssertion> {
  const { startAuthentication } = await loadLibrary()
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON })
  return { id, rawId, type, response }
}

/**
 * Waits until the user picks a passkey among the suggestions of the email field, where the browser has them. `begin` asks the
 * server for the options. Null when there are no suggestions or another question of the browser came first.
 */
export async function passkeyFromSuggestions(
  begin: () => Promise<PasskeyRequestOptions>,
  signal: AbortSignal,
): Promise<PasskeyAssertion | null> {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } =
    await loadLibrary()
  if (!(await browserSupportsWebAuthnAutofill())) return null
  const optionsJSON = await begin()
  if (signal.aborted) return null
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony())
  try {
    const { id, rawId, type, response } = await startAuthentication({
      optionsJSON,
      useBrowserAutofill: true,
    })
    return { id, rawId, type, response }
  } catch {
    return null
  }
}

/** Creates a passkey. Throws like `signWithPasskey`. */
export async function createPasskey(
  optionsJSON: PasskeyCreationOptions,
): Promise<PasskeyRegistration> {
  const { startRegistration } = await loadLibrary()
  const { id, rawId, type, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports } = response
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
}

/** A failure of this browser or device as a sentence. A refusal of the server has its own: null. */
export function passkeyErrorText(reason: unknown): string | null {
  if (reason instanceof ApiError) return null
  if (reason instanceof ChunkError) return texts.passkey.notLoaded
  const { name, code } = reason as { name?: string; code?: string }
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return texts.passkey.known
  if (name === 'NotAllowedError' || name === 'AbortError') return texts.passkey.cancelled
  if (name === 'SecurityError') return texts.passkey.wrongAddress
  return texts.passkey.broken
}
