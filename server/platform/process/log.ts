import Fastify from 'fastify'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

/** Structured log: first what a machine should find, then a sentence. No personal data, no tokens, no addresses. */
export type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>

/** A log to standard output at `level` (debug … silent), of the same kind as the HTTP server's. */
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
 * An error as it may be logged. PostgreSQL repeats values in what it says: the whole row that broke a rule (its 'detail'), or the text
 * that was no number. Which rule of which table it was stays.
 */
export function toLoggableError(error: unknown): LoggableError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no error was thrown', stack: '' }
  const { name, message, stack = '', cause } = error
  const { code } = error as { code?: unknown }
  const isDatabase = error instanceof pg.DatabaseError
  const said = isDatabase ? message.replace(/: ".*"/s, '') : message
  return {
    type: name,
    message: said,
    ...(typeof code === 'string' && { code }),
    ...(isDatabase && {
      at: [error.table, error.column, error.constraint].filter(Boolean).join('.'),
    }),
    // Its first lines repeat the message.
    stack: stack.slice(Math.max(0, stack.search(/^ {4}at /m))),
    ...(cause instanceof Error && { cause: toLoggableError(cause) }),
  }
}
