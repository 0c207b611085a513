/** One typed fetch over the call objects of the contract. Knows the token and nothing of screens. */
import type { ResponseData, Endpoint, RequestInput } from '#contract/endpoint.ts'

/** A refusal, or a failure of the way: status 0 when no answer came. `errors` maps a field to its text. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Record<string, string>
  constructor(status: number, message: string, errors: Record<string, string> = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
  }
}

type SendConfig = {
  /** Where the calls go when it is not the page's own host. */
  origin?: string
  /** The token of the sign-in, null when there is none. */
  getToken: () => string | null
  /** A sign-in that worked until now is over: the server answered 401 to `token`. */
  onUnauthorized: (token: string) => void
  /** After that: the token of the same person's next sign-in, as soon as there is one; null when none is waited for. */
  waitForNewToken: () => Promise<string | null>
}

let sendConfig: SendConfig = {
  getToken: () => null,
  onUnauthorized: () => {},
  waitForNewToken: async () => null,
}

/** Tells `send` where the token lives; the session does it once. What is not given stays. Answers how it was before. */
export function configureSend(given: Partial<SendConfig>): SendConfig {
  const before = sendConfig
  sendConfig = { ...sendConfig, ...given }
  return before
}

/** '/api/orders/:userId' and {userId: '7'} to '/api/orders/7'. Throws on a parameter that is missing. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '')
      throw new Error(`no ${name} for ${path}`)
    return encodeURIComponent(String(value))
  })
}

/** The address of a call, for links that open in a new tab. Query values that are undefined or null are left out. */
export function urlFor(
  call: Pick<Endpoint, 'path'>,
  wish: { params?: unknown; query?: unknown } = {},
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((wish.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const path = fillPath(call.path, wish.params as Record<string, unknown>)
  return query.size > 0 ? `${path}?${query}` : path
}

type SendOptions = {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** In place of the sign-in's own, to ask about another one. */
  token?: string
}

/**
 * Makes a call. 200 to 299 is success (specification, 7); there is no time-out. Throws ApiError for everything else.
 * A 401 to the token in use ends the session; the call is then made once more when the same person has signed in again, and so
 * are those begun meanwhile: whoever pressed a button need not press it twice.
 */
export async function send<C extends Endpoint>(
  call: C,
  wish: RequestInput<C>,
  more: SendOptions = {},
): Promise<ResponseData<C>> {
  return (await sendAndParse(call, wish, more)).answer
}

/** A page of a call that answers a bare array, and how many rows there are in all (X-Total-Count; architecture, 10). */
export async function sendList<C extends Endpoint>(
  call: C,
  wish: RequestInput<C>,
  more: SendOptions = {},
): Promise<{ rows: ResponseData<C>; total: number }> {
  const { answer, headers } = await sendAndParse(call, wish, more)
  return {
    rows: answer,
    total: Number(headers.get('x-total-count') ?? (answer as unknown[]).length),
  }
}

/**
 * A file of a call, for what is no link: its answer as soon as it begins, so that a refusal can be told in place. Throws as `send` does.
 * Whoever does not read the body cancels it.
 */
export async function sendForFile<C extends Endpoint>(
  call: C,
  wish: RequestInput<C>,
  more: SendOptions = {},
): Promise<Response> {
  const response = await sendWithToken(call, wish, more)
  if (response.ok) return response
  throw apiErrorFrom(response.status, await readJson(response))
}

async function sendAndParse<C extends Endpoint>(
  call: C,
  wish: RequestInput<C>,
  more: SendOptions,
): Promise<{ answer: ResponseData<C>; headers: Headers }> {
  const response = await sendWithToken(call, wish, more)
  const answer = await readJson(response)
  if (response.ok) return { answer: answer as ResponseData<C>, headers: response.headers }
  throw apiErrorFrom(response.status, answer)
}

async function sendWithToken<C extends Endpoint>(
  call: C,
  wish: RequestInput<C>,
  more: SendOptions,
): Promise<Response> {
  const { params, query, body } = wish as { params?: unknown; query?: unknown; body?: unknown }
  const address = `${sendConfig.origin ?? ''}${urlFor(call, { params, query })}`
  const ask = (token: string | null): Promise<Response> => {
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
    ?? (renewable ? await unlessAborted(sendConfig.waitForNewToken(), more.signal) : null)
  const response = await ask(token)
  if (response.status !== 401 || !token || !renewable) return response
  if (token === sendConfig.getToken()) sendConfig.onUnauthorized(token)
  const next = await unlessAborted(sendConfig.waitForNewToken(), more.signal)
  // A 401 is answered before anything is done or even read, so nothing happens twice.
  return next ? await ask(next) : response
}

/** Waiting for a person may take long; whoever no longer wants the answer is let go. */
async function unlessAborted<T>(waiting: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return waiting
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([waiting, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', abort),
  )
}

async function fetchOrApiError(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request)
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
    // A proxy in between may answer in HTML; its words help nobody.
    return null
  }
}

function apiErrorFrom(status: number, answer: unknown): ApiError {
  const { message, error, errors } = (answer ?? {}) as {
    message?: unknown
    error?: unknown
    errors?: unknown
  }
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : ''
  const fields = Object.entries(errors && typeof errors === 'object' ? errors : {})
  return new ApiError(
    status,
    text,
    Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
    ),
  )
}

/** The server's sentence, else the specified one (specification, 8). */
export const messageOf = (reason: unknown, otherwise: string): string =>
  (reason instanceof ApiError && reason.message) || otherwise

/** The server's sentences by field; empty for any other failure. */
export const fieldErrorsOf = (reason: unknown): Record<string, string> =>
  reason instanceof ApiError ? reason.errors : {}
