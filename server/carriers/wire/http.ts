/**
 * One question to a carrier over HTTP, for the adapters. It tells apart what must never be mixed up: a question that certainly did
 * not arrive, and one of which nobody knows (facts: failure kinds).
 */

/** The question did not leave this machine: certainly nothing happened. */
export class NotSentError extends Error {
  readonly code: string
  constructor(code: string, cause: unknown) {
    super(`the carrier cannot be reached: ${code}`, { cause })
    this.code = code
  }
}

/** `body`: the JSON that came, undefined where it was none. `bytes` as they came. */
export type CarrierResponse = { status: number; headers: Headers; body: unknown; bytes: Uint8Array }

/** No carrier's answer is longer, labels included. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

// A connection that was never made. A reset is not among them: it may come after the question has arrived.
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
 * Asks and reads the whole answer. Follows no redirect: a purchase must not be sent twice. Throws NotSent, or whatever broke the
 * connection, which leaves the outcome unknown.
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
    const code = errorCode(error)
    throw NOT_SENT_CODES.has(code) ? new NotSentError(code, error) : error
  }
  const bytes = await readAll(response)
  return { status: response.status, headers: response.headers, body: parseJson(bytes), bytes }
}

async function readAll(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('the carrier’s answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

function errorCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return 'UNKNOWN'
}

/** How long (ms) a carrier asks us to wait: Retry-After in seconds or as a date (RFC 9110, 10.2.3); undefined where it says nothing. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), 60 * 60_000) : undefined
}

/** Certainly nothing happened, so that it may be tried again. An `Outcome`, a `VoidAnswer` and more than a `LabelAnswer` needs. */
export type RetryableFailure = {
  ok: false
  kind: 'retryable'
  code: string
  message: string
  retryAfterMs?: number
}

/** The same work, where a question that was never sent is an answer: try later. Whatever else breaks is thrown. */
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
