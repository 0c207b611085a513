import Fastify from 'fastify'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

/**
 * Structured log: an object with ids and codes, then a sentence. No personal data, tokens or
 * addresses.
 */
export type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>

/** `level`: debug … silent. */
export const createLogger = (level: string): Logger =>
  Fastify({ logger: { level, serializers: { err: toLoggableError } } }).log

export type LoggableError = {
  type: string
  message: string
  code?: string
  at?: string
  stack: string
  cause?: LoggableError
}

/**
 * An error without personal data. PostgreSQL repeats values in its messages: the whole row that
 * broke a rule ('detail'), or the text that was not a number. Table, column and constraint are
 * logged.
 */
export function toLoggableError(error: unknown): LoggableError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'a value that is not an Error was thrown', stack: '' }
  const { name, message, stack = '', cause } = error
  const { code } = error as { code?: unknown }
  const isDatabase = error instanceof pg.DatabaseError
  const safeMessage = isDatabase ? message.replace(/: ".*"/s, '') : message
  return {
    type: name,
    message: safeMessage,
    ...(typeof code === 'string' && { code }),
    ...(isDatabase && {
      at: [error.table, error.column, error.constraint].filter(Boolean).join('.'),
    }),
    // Without the message, which it repeats.
    stack: stack.slice(Math.max(0, stack.search(/^ {4}at /m))),
    ...(cause instanceof Error && { cause: toLoggableError(cause) }),
  }
}
