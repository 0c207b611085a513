import type { AdditionalStatus, ProviderInvoice } from '#server/payments/port.ts'
/** What the sandbox payment service allows in each state of an invoice: the transitions of a BTCPay invoice without an amount. */
import { Refusal } from '#server/platform/http/refusal.ts'

export type SandboxInvoiceState = {
  status: ProviderInvoice['status']
  additionalStatus: AdditionalStatus
}
export type PaymentCommand = 'pay' | 'expire' | 'pay-late'

/** What is told of a command, in BTCPay's words and order. */
export const WEBHOOK_TYPES: Record<PaymentCommand, string[]> = {
  pay: ['InvoiceReceivedPayment', 'InvoiceSettled'],
  expire: ['InvoiceExpired'],
  'pay-late': ['InvoicePaidAfterExpiration'],
}

const ALREADY_PAID = 'This invoice has been paid already'

/**
 * The state after a command. Throws Refusal 'conflict' with a sentence that names the way out; letting an expired invoice expire
 * changes nothing.
 */
export function stateAfter(
  command: PaymentCommand,
  { status, additionalStatus }: SandboxInvoiceState,
): SandboxInvoiceState {
  if (status === 'Settled') throw new Refusal('conflict', ALREADY_PAID)
  if (command === 'pay') {
    if (status === 'Expired')
      throw new Refusal(
        'conflict',
        'This invoice has expired; pay-late plays a payment after expiry',
      )
    return { status: 'Settled', additionalStatus: 'None' }
  }
  if (command === 'expire')
    return status === 'Expired'
      ? { status, additionalStatus }
      : { status: 'Expired', additionalStatus: 'None' }
  if (status !== 'Expired')
    throw new Refusal('conflict', 'This invoice has not expired; pay plays a payment in time')
  if (additionalStatus === 'PaidLate') throw new Refusal('conflict', ALREADY_PAID)
  return { status: 'Expired', additionalStatus: 'PaidLate' }
}
