/** Typed fetch for the endpoints of the contract. */
import type { ResponseData, Endpoint, RequestInput } from '#contract/endpoint.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { PROOF_METHODS } from '#contract/second-factor.ts'
import type { ProofMethod } from '#contract/second-factor.ts'
import { learnServerTime } from './server-clock.ts'
import { texts } from './texts.ts'
import { unlessAborted } from './unless-aborted.ts'

/**
 * Status 0 when no response came. `errors` maps fields to their messages. `code`: which refusal it
 * is, '' of an answer that is not the server's.
 */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Record<string, string>
  readonly code: RefusalCode | ''
  constructor(
    status: number,
    message: string,
    errors: Record<string, string> = {},
    code: RefusalCode | '' = '',
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
    this.code = code
  }
}

type SendConfig = {
  /** Defaults to the page's own host. */
  origin?: string
  getToken: () => string | null
  /** The server responded 401 to the session's `token`. */
  onUnauthorized: (token: string) => void
  /**
   * The token of the same user's sign-in after `refused`, or their next one; null when there is
   * none and none is awaited.
   */
  waitForNewToken: (refused: string | null) => Promise<string | null>
  /** How many proofs of identity were given so far. */
  proofCount: () => number
  /** Asks the user for a proof of identity. Resolves with false when they decline. */
  askForProof: (methods: readonly ProofMethod[]) => Promise<boolean>
  /** The user must set up a second factor before anything else. */
  onSecondFactorRequired: () => void
}

let sendConfig: SendConfig = {
  getToken: () => null,
  onUnauthorized: () => {},
  waitForNewToken: async () => null,
  proofCount: () => 0,
  askForProof: async () => false,
  onSecondFactorRequired: () => {},
}

/** Called once by the session. Returns the previous configuration. */
export function configureSend(given: Partial<SendConfig>): SendConfig {
  const before = sendConfig
  sendConfig = { ...sendConfig, ...given }
  return before
}

/** '/api/orders/:userId' with {userId: '7'} is '/api/orders/7'. Throws when a parameter is missing. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '')
      throw new Error(`no ${name} for ${path}`)
    return encodeURIComponent(String(value))
  })
}

/** The URL of a call. Query values that are undefined or null are left out. */
export function urlFor(
  call: Pick<Endpoint, 'path'>,
  request: { params?: unknown; query?: unknown } = {},
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((request.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const path = fillPath(call.path, request.params as Record<string, unknown>)
  return query.size > 0 ? `${path}?${query}` : path
}

type SendOptions = {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Replaces the token of the session. */
  token?: string
}

/**
 * Makes a call, without a time-out. Throws ApiError for a status outside 200 to 299. A 401 to the session's token ends the
 * session; the call and those begun meanwhile are repeated when the same user has signed in again. A call that needs a fresh
 * proof of identity is repeated once the user has given it.
 */
export async function send<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  more: SendOptions = {},
): Promise<ResponseData<C>> {
  return (await sendAndParse(call, request, more)).answer
}

/** Like `send`, with the status, where 202 means that nothing is done yet. */
export async function sendForStatus<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
): Promise<{ answer: ResponseData<C>; status: number }> {
  const { answer, status } = await sendAndParse(call, request, {})
  return { answer, status }
}

/** A page of a call whose response is an array, with the number of all rows (X-Total-Count). */
export async function sendList<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  more: SendOptions = {},
): Promise<{ rows: ResponseData<C>; total: number }> {
  const { answer, headers } = await sendAndParse(call, request, more)
  return {
    rows: answer,
    total: Number(headers.get('x-total-count') ?? (answer as unknown[]).length),
  }
}

/** Resolves when a file response begins. Throws like `send`. Callers read the body or cancel it. */
export async function sendForFile<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  more: SendOptions = {},
): Promise<Response> {
  const response = await sendWithToken(call, request, more)
  if (response.ok) return response
  throw apiErrorFrom(response.status, await readJson(response))
}

async function sendAndParse<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  more: SendOptions,
): Promise<{ answer: ResponseData<C>; headers: Headers; status: number }> {
  const response = await sendWithToken(call, request, more)
  const answer = await readJson(response)
  const { headers, status } = response
  if (response.ok) return { answer: answer as ResponseData<C>, headers, status }
  throw apiErrorFrom(response.status, answer)
}

async function sendWithToken<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  more: SendOptions,
): Promise<Response> {
  const ofSession = call.access !== 'anyone' && more.token === undefined
  const proofsBefore = sendConfig.proofCount()
  const response = await fetchSignedIn(call, request, more)
  const refusal = ofSession && response.status === 403 ? await readRefusal(response) : null
  if (refusal?.code === 'second_factor_required') sendConfig.onSecondFactorRequired()
  if (refusal?.code !== 'proof_required') return response
  const methods = PROOF_METHODS.filter(method => refusal.methods?.includes(method))
  const isProven =
    sendConfig.proofCount() > proofsBefore
    || (await unlessAborted(sendConfig.askForProof(methods), more.signal))
  if (!isProven) throw new ApiError(403, texts.proofDeclined)
  // The server checks the proof before it does anything, so nothing happens twice.
  return fetchSignedIn(call, request, more)
}

type CodedRefusal = { code?: RefusalCode; methods?: string[] }

/** Leaves the body of the response to be read again. */
const readRefusal = async (response: Response): Promise<CodedRefusal | null> =>
  (await readJson(response.clone())) as CodedRefusal | null

/** Repeats a call that was refused with 401 when the user has signed in again. */
async function fetchSignedIn<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  more: SendOptions,
): Promise<Response> {
  const { params, query, body } = request as { params?: unknown; query?: unknown; body?: unknown }
  const address = `${sendConfig.origin ?? ''}${urlFor(call, { params, query })}`
  const fetchWith = (token: string | null): Promise<Response> => {
    const headers: Record<string, string> = { accept: 'application/json', ...more.headers }
    if (token) headers.token = token
    if (body !== undefined) headers['content-type'] = 'application/json'
    const json = body === undefined ? undefined : JSON.stringify(body)
    return fetchOrApiError(address, {
      method: call.method,
      headers,
      body: json,
      signal: more.signal,
      credentials: 'same-origin',
    })
  }
  const renewable = call.access !== 'anyone' && more.token === undefined
  const token =
    more.token
    ?? sendConfig.getToken()
    ?? (renewable ? await unlessAborted(sendConfig.waitForNewToken(null), more.signal) : null)
  const response = await fetchWith(token)
  if (response.status !== 401 || !token || !renewable) return response
  if (token === sendConfig.getToken()) sendConfig.onUnauthorized(token)
  const next = await unlessAborted(sendConfig.waitForNewToken(token), more.signal)
  // The server checks the token before anything else, so nothing happens twice.
  return next ? await fetchWith(next) : response
}

async function fetchOrApiError(address: string, request: RequestInit): Promise<Response> {
  const sentAt = Date.now()
  try {
    const response = await fetch(address, request)
    learnServerTime(response, sentAt)
    return response
  } catch (reason) {
    if (request.signal?.aborted) throw reason
    throw new ApiError(0, '')
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    // A proxy may respond in HTML.
    return null
  }
}

function apiErrorFrom(status: number, answer: unknown): ApiError {
  const { message, error, errors, code } = (answer ?? {}) as {
    message?: unknown
    error?: unknown
    errors?: unknown
    code?: unknown
  }
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : ''
  const fields = Object.entries(errors && typeof errors === 'object' ? errors : {})
  return new ApiError(
    status,
    text,
    Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
    ),
    typeof code === 'string' ? (code as RefusalCode) : '',
  )
}

/** The server's message, else `fallback`. */
export const messageOf = (reason: unknown, fallback: string): string =>
  (reason instanceof ApiError && reason.message) || fallback

/** What `work` resolves with. Throws an Error with the message of its failure, for a dialog that shows it. */
export async function orMessage<T>(work: Promise<T>, fallback: string): Promise<T> {
  try {
    return await work
  } catch (reason) {
    throw new Error(messageOf(reason, fallback), { cause: reason })
  }
}

/** The server's messages by field; empty for any other failure. */
export const fieldErrorsOf = (reason: unknown): Record<string, string> =>
  reason instanceof ApiError ? reason.errors : {}
