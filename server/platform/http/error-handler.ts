import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '#contract/refusals.ts'
import { databaseCode } from '#server/platform/database/database.ts'
import { isBusy, isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import { wantsPage } from './browser-requests.ts'
import { REFUSAL_PAGE_POLICY, refusalPage } from './refusal-page.ts'
import { Refusal, refuseField } from './refusal.ts'

/** The body of a refusal below a path that has a shape of its own; null elsewhere. */
export type ErrorShape = (path: string, refusal: Refusal) => object | null

export type ErrorHandler = (
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply

/**
 * Sends errors in the shape of the contract. Unexpected ones are logged; the client gets a sentence
 * with `note` at its end.
 */
export function createErrorHandler(note: string, shape: ErrorShape = () => null): ErrorHandler {
  const logRefusal = oneLineAMinute()
  return (error, request, reply) => {
    const refusal = withField(toRefusal(error, note), request)
    if (error instanceof Refusal || isBusy(error)) {
      if (refusal.status >= 500) logRefusal(request, refusal.message)
    } else if (refusal.status >= 500) request.log.error({ err: error }, 'a request failed')
    const own = shape(request.url.split('?', 1)[0]!, refusal)
    return sendRefusal(refusal, request, reply, own)
  }
}

const MINUTE_MS = 60_000

/** Refusals for lack of capacity come in floods. Metrics count each by its status. */
function oneLineAMinute(): (request: FastifyRequest, reason: string) => void {
  let refused = 0
  let loggedAt = -Infinity
  return (request, reason) => {
    refused++
    if (performance.now() - loggedAt < MINUTE_MS) return
    request.log.warn({ refused, reason }, 'requests were refused for the moment')
    loggedAt = performance.now()
    refused = 0
  }
}

function sendRefusal(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  own: object | null,
): FastifyReply {
  const { status, retryAfter } = refusal
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  // Fastify closes the connection of a body it does not read to its end. The rest of ours is read and
  // discarded (receive.ts): a close while the sender still writes would lose the refusal.
  if (refusal.code !== 'body_incomplete') reply.removeHeader('connection')
  reply.code(status).header('cache-control', 'no-store')
  if (request.routeOptions?.config.opensInTab && wantsPage(request.headers))
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', REFUSAL_PAGE_POLICY)
      .send(refusalPage(refusal))
  reply.type('application/json')
  // As text it is not checked against the contract's shape of errors.
  if (own) return reply.send(JSON.stringify(own))
  return reply.send({ ...refusalWire(refusal), ...(status >= 500 && { requestId: request.id }) })
}

/** The answer to a refused request, without the id of the request. */
const refusalWire = ({ code, message, fields, methods, seen }: Refusal) => ({
  message,
  error: message,
  code,
  ...(fields && {
    errors: mapFields(fields, fault => fault.text),
    codes: mapFields(fields, fault => fault.code),
  }),
  ...(methods && { methods }),
  ...seen,
})

const mapFields = <T>(fields: Record<string, Fault>, part: (fault: Fault) => T) =>
  Object.fromEntries(Object.entries(fields).map(([field, fault]) => [field, part(fault)]))

/** Any error as the refusal that the client gets. `note` ends the sentence of unexpected ones. */
export function toRefusal(error: FastifyError | Error, note = ''): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseUnavailable(error))
    return new Refusal(
      'database_unavailable',
      'The database cannot be reached just now. Please try again in a moment.',
      { retryAfter: 5 },
    )
  if (isBusy(error))
    return new Refusal(
      'busy',
      `The server is too busy for this just now.${note} Please try again in a moment.`,
      { retryAfter: 10 },
    )
  if (UNWRITABLE_CODES.has(databaseCode(error) ?? ''))
    return new Refusal(
      'storage_unavailable',
      `This cannot be saved right now.${note} Please try again in a few minutes.`,
      { retryAfter: 60 },
    )
  if (INVALID_CHARACTER_CODES.has(databaseCode(error) ?? ''))
    return new Refusal(
      'character_not_allowed',
      'The request contains a character that is not allowed in text: U+0000',
    )
  return (
    frameworkRefusal(error)
    ?? new Refusal('internal_error', `Something went wrong on our side.${note}`)
  )
}

/** Of Fastify's own errors; undefined for others. */
function frameworkRefusal(error: FastifyError | Error): Refusal | undefined {
  const { statusCode: status = 500, code = '' } = error as Partial<FastifyError>
  if (status === 413) return new Refusal('body_too_large', 'This is too large for one request')
  if (status === 415)
    return new Refusal(
      'body_not_json',
      'The body must be JSON, with the header Content-Type: application/json',
    )
  // Fastify's own text repeats the path, which may be any text.
  if (code === 'FST_ERR_BAD_URL')
    return new Refusal(
      'path_malformed',
      'The path is not valid: a % in it must be followed by an encoded character',
    )
  if (status < 400 || status >= 500) return undefined
  return new Refusal(
    code.startsWith('FST_ERR_CTP') ? 'body_malformed' : 'request_unreadable',
    `The request could not be read: ${singleLine(error.message)}`,
  )
}

/** PostgreSQL could not write, since its disk is full or it is read-only; the transaction was rolled back. */
const UNWRITABLE_CODES = new Set(['53100', '25006'])

// The zero character in text or JSON: PostgreSQL accepts it nowhere, so nothing was written.
const INVALID_CHARACTER_CODES = new Set(['22021', '22P05'])

/** Names the field with the zero character; it comes from the database, which does not. */
function withField(refusal: Refusal, { params, query, body }: FastifyRequest): Refusal {
  if (refusal.code !== 'character_not_allowed') return refusal
  const field = [params, query, body].map(part => pathOfZero(part)).find(path => path !== undefined)
  return field === undefined ? refusal : refuseField(field, refusal.code, refusal.message)
}

function pathOfZero(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path.join('.') : undefined
  for (const [name, part] of Object.entries(value ?? {})) {
    const found = pathOfZero(part, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}

const singleLine = (text: string): string => text.replace(/[\r\n]+/g, ' ').slice(0, 200)
