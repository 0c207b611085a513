import type { Cents } from '#contract/money.ts'
import { PAYMENT_TOLERANCE_PERCENT } from '#server/payments/port.ts'
import type { AdditionalStatus, ProviderInvoice } from '#server/payments/port.ts'
import { Refusal } from '#server/platform/http/refusal.ts'

export type SandboxInvoiceState = {
  status: ProviderInvoice['status']
  additionalStatus: AdditionalStatus
}
type PaidSoFar = { requested: Cents | null; paid: number }
export type PaymentCommand = 'pay' | 'expire' | 'pay-late'

/** Webhooks of each command, as BTCPay names and orders them. */
export const WEBHOOK_TYPES: Record<PaymentCommand, string[]> = {
  pay: ['InvoiceReceivedPayment', 'InvoiceSettled'],
  expire: ['InvoiceExpired'],
  'pay-late': ['InvoicePaidAfterExpiration'],
}

const ALREADY_PAID = 'This invoice has already been paid'

/**
 * `paid`: before the command; `amount`: of this payment. Throws Refusal 409 with a remedy;
 * expiring an expired invoice changes nothing.
 */
export function stateAfter(
  command: PaymentCommand,
  { status, additionalStatus, requested, paid }: SandboxInvoiceState & PaidSoFar,
  amount = 0,
): SandboxInvoiceState {
  if (status === 'Settled') throw new Refusal('already_done', ALREADY_PAID)
  if (command === 'pay') {
    if (status === 'Expired')
      throw new Refusal(
        'expired',
        'This invoice has expired; use pay-late for a payment after expiry',
      )
    return stateOfPayment(requested, paid + amount)
  }
  if (command === 'expire')
    return status === 'Expired'
      ? { status, additionalStatus }
      : { status: 'Expired', additionalStatus: paid > 0 ? 'PaidPartial' : 'None' }
  if (status !== 'Expired')
    throw new Refusal('wrong_state', 'This invoice has not expired; use pay for a payment in time')
  if (additionalStatus === 'PaidLate') throw new Refusal('already_done', ALREADY_PAID)
  return { status: 'Expired', additionalStatus: 'PaidLate' }
}

/** As BTCPay counts: a payment below the tolerance leaves the invoice open. */
function stateOfPayment(requested: Cents | null, paid: number): SandboxInvoiceState {
  if (requested === null) return { status: 'Settled', additionalStatus: 'None' }
  if (paid * 100 < requested * (100 - PAYMENT_TOLERANCE_PERCENT))
    return { status: 'New', additionalStatus: 'PaidPartial' }
  return { status: 'Settled', additionalStatus: paid > requested ? 'PaidOver' : 'None' }
}
