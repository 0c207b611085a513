import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { databaseCode } from '#server/platform/database/database.ts'
import { Refusal } from './refusal.ts'
import type { RefusalCode } from './refusal.ts'

/** The one table from what was refused to a status of HTTP (architecture, 10). */
const STATUS_BY_CODE: Record<RefusalCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  insufficient_balance: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  too_many: 429,
  unavailable: 503,
}

type ErrorReply = {
  status: number
  message: string
  errors?: Record<string, string>
  retryAfter?: number
}

/** Turns whatever was thrown into the wire's refusal. Our own faults are logged whole and told as a plain sentence. */
export function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const wire = toErrorReply(error)
  if (wire.status >= 500) request.log.error({ err: error, requestId: request.id }, 'a call failed')
  if (wire.retryAfter !== undefined) reply.header('retry-after', String(wire.retryAfter))
  return reply
    .code(wire.status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send({
      message: wire.message,
      error: wire.message,
      ...(wire.errors && { errors: wire.errors }),
      ...(wire.status >= 500 && { requestId: request.id }),
    })
}

function toErrorReply(error: FastifyError | Error): ErrorReply {
  if (error instanceof Refusal) {
    return {
      status: STATUS_BY_CODE[error.code],
      message: error.message,
      errors: error.fields,
      retryAfter: error.retryAfter,
    }
  }
  if (isDatabaseUnavailable(error)) {
    return {
      status: 503,
      message: 'The database cannot be reached just now. Please try again in a moment.',
      retryAfter: 5,
    }
  }
  if (databaseCode(error) === DISK_FULL)
    return { status: 503, message: DISK_FULL_MESSAGE, retryAfter: 60 }
  if (INVALID_CHARACTER_CODES.has(databaseCode(error) ?? ''))
    return { status: 400, message: 'The request has a character that no text can have' }
  const status =
    'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  if (status === 413) return { status, message: 'This is too large to be sent in one piece' }
  if (status === 415)
    return {
      status: 400,
      message: 'The body must be JSON, with the header Content-Type: application/json',
    }
  if (status >= 400 && status < 500)
    return { status: 400, message: `The request could not be read: ${singleLine(error.message)}` }
  return {
    status: 500,
    message: 'Something went wrong on our side. Nothing was charged that is not on your statement.',
  }
}

/** PostgreSQL has no room to write: whatever was begun is undone, and goes in again when the operator has made room. */
const DISK_FULL = '53100'
const DISK_FULL_MESSAGE =
  'This cannot be taken in just now. Nothing was charged that is not on your statement. Please try again in a few minutes.'

// The zero character, in a text or inside of JSON: PostgreSQL takes it nowhere, so nothing was written or found.
const INVALID_CHARACTER_CODES = new Set(['22021', '22P05'])

const CONNECTION_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
  '08003',
  '53300',
])

/** Whether an error says that PostgreSQL is down, starting or full of connections, rather than that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && CONNECTION_ERROR_CODES.has(code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  )
}

const singleLine = (text: string): string => text.replace(/[\r\n]+/g, ' ').slice(0, 200)
