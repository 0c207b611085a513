import type { AdditionalStatus, ProviderInvoice } from '#server/payments/port.ts'
/** What the sandbox payment service allows in each state of an invoice: the transitions of a BTCPay invoice without an amount. */
import { Refusal } from '#server/platform/refusal.ts'

export type State = { status: ProviderInvoice['status']; additionalStatus: AdditionalStatus }
export type Command = 'pay' | 'expire' | 'pay-late'

/** What is told of a command, in BTCPay's words and order. */
export const NEWS: Record<Command, string[]> = {
  pay: ['InvoiceReceivedPayment', 'InvoiceSettled'],
  expire: ['InvoiceExpired'],
  'pay-late': ['InvoicePaidAfterExpiration'],
}

const PAID = 'This invoice has been paid already'

/**
 * The state after a command. Throws Refusal 'conflict' with a sentence that names the way out; letting an expired invoice expire
 * changes nothing.
 */
export function after(command: Command, { status, additionalStatus }: State): State {
  if (status === 'Settled') throw new Refusal('conflict', PAID)
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
  if (additionalStatus === 'PaidLate') throw new Refusal('conflict', PAID)
  return { status: 'Expired', additionalStatus: 'PaidLate' }
}
