/** What a refusal says about the rows that were sent under an order id. Pure. */
import { ApiError } from '#web/client/send.ts'

/** Of the response; 0 without one. */
export const httpStatusOf = (reason: unknown): number =>
  reason instanceof ApiError ? reason.status : 0

/** Whether the order may have arrived without a response. A refusal is a response. */
export const isAnswerLost = (reason: unknown): boolean =>
  httpStatusOf(reason) === 0 || httpStatusOf(reason) >= 500

/**
 * 'open': the rows may be bought; 'refused': nothing is bought under the id; 'accepted': other rows
 * are; 'unknown id': the server does not know it.
 */
export type RefusalEnd = 'open' | 'refused' | 'accepted' | 'unknown id'

/** The server gives these responses only after it looked for an order under the id. */
const STATUSES_AFTER_LOOKUP = [402, 422]

/**
 * `wasLost`: the rows were sent before, without a response; then a response that says nothing about
 * the id, such as 401 or 429, leaves it open. 'conflict': refused or accepted, as the order's status says.
 */
export function refusalEnd(reason: unknown, wasLost: boolean): RefusalEnd | 'conflict' {
  if (isAnswerLost(reason)) return 'open'
  const status = httpStatusOf(reason)
  if (status === 404) return 'unknown id'
  if (status === 409)
    return reason instanceof ApiError && reason.code === 'already_bought' ? 'refused' : 'conflict'
  return wasLost && !STATUSES_AFTER_LOOKUP.includes(status) ? 'open' : 'refused'
}
