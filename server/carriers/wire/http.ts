/**
 * One HTTP request to a carrier. Distinguishes a request that was certainly not sent from one with
 * an unknown result.
 */
import { readResponse } from '#server/platform/http/read-response.ts'

/** The request did not leave this machine: certainly nothing happened. */
export class NotSentError extends Error {
  readonly code: string
  constructor(code: string, cause: unknown) {
    super(`the carrier cannot be reached: ${code}`, { cause })
    this.code = code
  }
}

/** `body`: parsed JSON, undefined if the response has none. */
export type CarrierResponse = { status: number; headers: Headers; body: unknown; bytes: Uint8Array }

/** No carrier response is larger, labels included. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

// The connection was never made. Resets are not listed: the request may have arrived.
const NOT_SENT_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/**
 * Follows no redirect, so that a purchase is not sent twice. Throws NotSentError, or the
 * connection's error, which leaves the result unknown.
 */
export async function sendRequest(
  url: string,
  init: Omit<RequestInit, 'signal' | 'redirect'>,
  signal: AbortSignal,
): Promise<CarrierResponse> {
  let response: Response
  try {
    response = await fetch(url, { ...init, signal, redirect: 'manual' })
  } catch (error) {
    const code = notSentCode(error)
    throw code === null ? error : new NotSentError(code, error)
  }
  const bytes = await readResponse(response, MAX_RESPONSE_BYTES)
  return { status: response.status, headers: response.headers, body: parseJson(bytes), bytes }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

/**
 * The code of an error that proves that the request never left, else null. When the network is lost later, a read or a write fails with
 * the same code.
 */
export function notSentCode(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, syscall } = at as NodeJS.ErrnoException
    if (typeof code === 'string')
      return NOT_SENT_CODES.has(code) && syscall !== 'read' && syscall !== 'write' ? code : null
  }
  return null
}

/** Retry-After in seconds or as a date (RFC 9110, 10.2.3), in ms; undefined if missing. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), 60 * 60_000) : undefined
}

/** Certainly nothing happened: may be retried. */
export type RetryableFailure = {
  ok: false
  kind: 'retryable'
  code: string
  message: string
  retryAfterMs?: number
}

/** Turns NotSentError into a retryable failure; other errors are thrown. */
export async function retryableIfNotSent<A>(work: () => Promise<A>): Promise<A | RetryableFailure> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NotSentError)) throw error
    return {
      ok: false,
      kind: 'retryable',
      code: error.code,
      message: 'The carrier cannot be reached',
    }
  }
}
