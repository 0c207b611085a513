/** Which statuses an endpoint can answer. */
import type { Endpoint } from '#contract/endpoint.ts'

/** What a refusal with this status means, where the endpoint does not say more. */
export const REFUSAL_MEANINGS: Record<number, string> = {
  400: 'The path, query or body does not have the shape described here',
  401: 'The key or token is missing or no longer valid',
  402: 'Insufficient balance, or the daily limit of the key is reached',
  403: 'Not allowed: it belongs to another user, needs another scope or role, or a fresh proof',
  404: 'Not found, or it belongs to another user',
  405: 'The path has no call with this method',
  408: 'The request took too long to arrive',
  409: 'Conflicts with existing data or with work in progress',
  413: 'The body is too large',
  415: 'The body is compressed: Content-Encoding is not supported',
  422: 'A rule is broken, or an outside service refused: errors names the fields',
  429: 'Too many requests: Retry-After says when to try again',
  431: 'The path with its query, or the headers, are too long',
  500: 'Internal error: requestId identifies it in the log',
  503: 'The database or an outside service cannot be reached: Retry-After says when to try again',
}

/** Statuses of refusals that follow from how a request is read and who may make it. */
function usualRefusals(endpoint: Endpoint): number[] {
  const hasInput = endpoint.params || endpoint.query || endpoint.method !== 'GET'
  return [
    ...(hasInput ? [400] : []),
    ...(endpoint.access === 'anyone' ? [] : [401, 403]),
    ...(endpoint.method === 'GET' ? [] : [413, 415]),
    429,
    431,
    500,
    503,
  ]
}

/** What each refusal of the endpoint means, by status. */
export function refusalsOf(endpoint: Endpoint): ReadonlyMap<number, string> {
  const known = [...usualRefusals(endpoint), ...(endpoint.refusals ?? [])].map(
    (status): [number, string] => [status, REFUSAL_MEANINGS[status]!],
  )
  const own = Object.entries(endpoint.otherStatuses ?? {}).map(
    ([status, text]): [number, string] => [Number(status), text],
  )
  return new Map(
    [...known, ...own].filter(([status]) => status >= 400).toSorted(([a], [b]) => a - b),
  )
}

/** Statuses below 400 with their meaning. */
export const successesOf = (endpoint: Endpoint): ReadonlyMap<number, string> =>
  new Map([
    [endpoint.status ?? 200, 'Done'],
    ...Object.entries(endpoint.otherStatuses ?? {})
      .map(([status, text]): [number, string] => [Number(status), text])
      .filter(([status]) => status < 400),
  ])

/** Whether the endpoint's description has this status. */
export const isDeclared = (endpoint: Endpoint, status: number): boolean =>
  successesOf(endpoint).has(status) || refusalsOf(endpoint).has(status)
