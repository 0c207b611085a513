import type { CarrierFailure, LabelFileResult, ScanFormResult } from '#server/carriers/port.ts'

/** Of a purchase, a void or a form: the answer proves nothing. */
export const INVALID_RESPONSE = {
  ok: false,
  kind: 'unknown',
  code: 'NONSENSE',
  message: 'The carrier’s answer made no sense',
} as const

export const permanentFailure = (code: string, message: string): CarrierFailure => ({
  ok: false,
  kind: 'permanent',
  code,
  message,
})

export type FailureAfterPurchase = Exclude<ScanFormResult, { ref: string }>

/** Of a failed call about a void or a form. An account problem is temporary: it is asked for again. */
export const failureAfterPurchase = ({
  kind,
  code,
  message,
  retryAfterMs,
}: CarrierFailure): FailureAfterPurchase => ({
  kind: kind === 'account' ? 'retryable' : kind,
  code,
  message,
  retryAfterMs,
})

export const labelFileNotYet = ({
  code,
  message,
  retryAfterMs,
}: Pick<CarrierFailure, 'code' | 'message' | 'retryAfterMs'>): Exclude<
  LabelFileResult,
  { kind: 'label' }
> => ({
  kind: 'not_yet',
  code,
  message,
  retryAfterMs,
})
