import type { AdditionalStatus, ProviderInvoice } from '#server/payments/port.ts'
import { Refusal } from '#server/platform/http/refusal.ts'

export type SandboxInvoiceState = {
  status: ProviderInvoice['status']
  additionalStatus: AdditionalStatus
}
export type PaymentCommand = 'pay' | 'expire' | 'pay-late'

/** Webhooks of each command, as BTCPay names and orders them. */
export const WEBHOOK_TYPES: Record<PaymentCommand, string[]> = {
  pay: ['InvoiceReceivedPayment', 'InvoiceSettled'],
  expire: ['InvoiceExpired'],
  'pay-late': ['InvoicePaidAfterExpiration'],
}

const ALREADY_PAID = 'This invoice has already been paid'

/** Throws Refusal 'conflict' with a remedy; expiring an expired invoice changes nothing. */
export function stateAfter(
  command: PaymentCommand,
  { status, additionalStatus }: SandboxInvoiceState,
): SandboxInvoiceState {
  if (status === 'Settled') throw new Refusal('conflict', ALREADY_PAID)
  if (command === 'pay') {
    if (status === 'Expired')
      throw new Refusal(
        'conflict',
        'This invoice has expired; use pay-late for a payment after expiry',
      )
    return { status: 'Settled', additionalStatus: 'None' }
  }
  if (command === 'expire')
    return status === 'Expired'
      ? { status, additionalStatus }
      : { status: 'Expired', additionalStatus: 'None' }
  if (status !== 'Expired')
    throw new Refusal('conflict', 'This invoice has not expired; use pay for a payment in time')
  if (additionalStatus === 'PaidLate') throw new Refusal('conflict', ALREADY_PAID)
  return { status: 'Expired', additionalStatus: 'PaidLate' }
}
