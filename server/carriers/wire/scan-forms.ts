import type { CarrierFailure, ScanFormResult } from '#server/carriers/port.ts'

export type ScanFormFailure = Exclude<ScanFormResult, { ref: string }>

/** Of a failed call about a form. An account problem is temporary: the form is asked for again. */
export const scanFormFailure = ({
  kind,
  code,
  message,
  retryAfterMs,
}: CarrierFailure): ScanFormFailure => ({
  kind: kind === 'account' ? 'retryable' : kind,
  code,
  message,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})
