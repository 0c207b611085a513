/** Whether an error comes from the state of the database and not from the query. */

import { databaseCode } from './database.ts'

// Time limits of a lock, a statement and a pause in a transaction; deadlock and serialization
// failure after the last attempt. Each rolled the transaction back.
const BUSY_CODES = new Set(['55P03', '57014', '25P03', '40P01', '40001'])

// Of the client: for a query, and for a free connection of the pool.
const BUSY_MESSAGES = new Set(['Query read timeout', 'timeout exceeded when trying to connect'])

/** A time limit or a conflict with others: the same may work later, or with less to do at once. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error
  && (BUSY_CODES.has(databaseCode(error) ?? '') || BUSY_MESSAGES.has(error.message))

/** Of a Unix socket: it is gone with its server, or has too many that wait. */
const SOCKET_ERROR_CODES = new Set(['ENOENT', 'EAGAIN'])

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

/** PostgreSQL is down, starting or out of connections; the query itself may be right. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code !== undefined && CONNECTION_ERROR_CODES.has(code)) return true
  if (code !== undefined && syscall === 'connect' && SOCKET_ERROR_CODES.has(code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  )
}

// Classes: connection, rollback, resources such as the disk, operator, system. 25006: read-only,
// such as a standby.
const DATABASE_FAULT_CODES = /^(?:08|40|53|57|58|25006)/

/** PostgreSQL is unavailable, busy, full or read-only; the query itself may be right. */
export const isDatabaseFault = (error: unknown): boolean =>
  isDatabaseUnavailable(error)
  || isBusy(error)
  || DATABASE_FAULT_CODES.test(databaseCode(error) ?? '')
