import type { Cents } from '#contract/money.ts'
import type { InvoiceStatus } from '#contract/payments.ts'

/** As BTCPay names them. */
export type AdditionalStatus =
  | 'None'
  | 'PaidLate'
  | 'PaidPartial'
  | 'Marked'
  | 'PaidOver'
  | 'Invalid'

export type ProviderInvoice = {
  id: string
  /** Ours, set at creation. */
  reference: string
  status: InvoiceStatus
  additionalStatus: AdditionalStatus
  /** Received, confirmed or not, rounded down to cents. */
  paid: Cents
  /** Confirmed by the provider, rounded down to cents. */
  confirmed: Cents
  /** When the oldest payment that is not confirmed yet arrived; null if there is none. */
  unconfirmedSince: Date | null
  createdAt: Date
  expiresAt: Date
  checkoutLink: string
}

/**
 * Percent of an invoice's amount that may be missing: a payment of 1% or more before expiry is full
 * payment. It is credited as it is, and no customer waits for an operator because of a wallet's fee.
 */
export const PAYMENT_TOLERANCE_PERCENT = 99

/**
 * A payment provider. Every request ends within 10 seconds; one without a valid response throws
 * ProviderUnavailable.
 */
export type PaymentProvider = {
  name: 'sandbox' | 'btcpay'
  /** URL of the script that sets `window.btcpay`, the payment dialog. */
  script: string
  /**
   * Foreign origin of script and dialog, for the pages' content security policy; null for our own.
   */
  origin: string | null
  /** The store that sends webhooks, and the secret that signs them. */
  webhooks: { storeId: string; secret(): Promise<string> }
  /**
   * Not idempotent: after a lost response, look up by reference first. `requested`: the amount that
   * the dialog asks for; null: any payment before expiry is full payment.
   */
  create(input: { reference: string; requested: Cents | null }): Promise<ProviderInvoice>
  findByReference(reference: string): Promise<ProviderInvoice | null>
  read(id: string): Promise<ProviderInvoice | null>
}

/** No response, or an invalid one. The message is for the operator's log. */
export class ProviderUnavailable extends Error {}
