import type { Cents } from '#contract/money.ts'
import type { InvoiceStatus } from '#contract/payments.ts'

/** The second word of an invoice's state, as BTCPay has it. */
export type AdditionalStatus =
  | 'None'
  | 'PaidLate'
  | 'PaidPartial'
  | 'Marked'
  | 'PaidOver'
  | 'Invalid'

/** An invoice as the payment service has it now. */
export type ProviderInvoice = {
  id: string
  /** What we called it when it was made. */
  reference: string
  status: InvoiceStatus
  additionalStatus: AdditionalStatus
  /** All that has arrived, confirmed or not, rounded down to cents. */
  paid: Cents
  /** The part of it that the payment service has confirmed, rounded down to cents. */
  confirmed: Cents
  createdAt: Date
  expiresAt: Date
  /** The payment service's own page for it. */
  checkoutLink: string
}

/**
 * What we ask of a payment service. Every call ends within 10 seconds; one that got no answer throws ProviderAway. An invoice
 * has no amount: whatever is paid before it expires is full payment.
 */
export type PaymentProvider = {
  name: 'sandbox' | 'btcpay'
  /** Address of the script that sets `window.btcpay`, the payment dialog. */
  script: string
  /** Another origin that the pages must admit for script and dialog; null when it is our own. */
  origin: string | null
  /** For which store it sends its messages to us, and the secret with which it signs them. */
  webhooks: { storeId: string; secret(): Promise<string> }
  /** Makes an invoice. Not idempotent: after a lost answer look by reference first. */
  create(wish: { reference: string }): Promise<ProviderInvoice>
  /** The newest invoice made under a reference. */
  findByReference(reference: string): Promise<ProviderInvoice | null>
  read(id: string): Promise<ProviderInvoice | null>
}

/** The payment service did not answer, or not in a way that says anything. Its message is for the operator's log. */
export class ProviderUnavailable extends Error {}
