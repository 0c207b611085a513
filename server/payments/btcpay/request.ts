/** What we ask of BTCPay Server (Greenfield API), as its published contract has it. Pure. */
import { MONITORING_MINUTES } from '#server/payments/rules.ts'

/** `url`: without a slash at the end, as browsers reach it, too. */
export type BtcpayStore = {
  url: string
  storeId: string
  apiKey: string
  speedPolicy: 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed'
  expirationMinutes: number
}

/** A question: its path below the store (`isBare`: below no store) and, for what makes something, its body. */
export type BtcpayRequest = {
  method: 'GET' | 'POST'
  path: string
  body?: object
  isWithoutStore?: true
}

/**
 * Makes an invoice without an amount: a top-up, for which whatever is paid in time is full payment. A payment counts only when blocks have
 * confirmed it, whatever the store's own setting says. The form under the store is served by all versions.
 */
export const createInvoiceRequest = (
  { speedPolicy, expirationMinutes }: BtcpayStore,
  reference: string,
): BtcpayRequest => ({
  method: 'POST',
  path: '/invoices',
  body: {
    currency: 'USD',
    metadata: { orderId: reference, itemDesc: 'Balance' },
    checkout: {
      speedPolicy,
      expirationMinutes,
      monitoringMinutes: MONITORING_MINUTES,
      paymentTolerance: 0,
    },
  },
})

export const findInvoicesRequest = (reference: string): BtcpayRequest => ({
  method: 'GET',
  path: `/invoices?${new URLSearchParams({ orderId: reference })}`,
})

export const readInvoiceRequest = (id: string): BtcpayRequest => ({
  method: 'GET',
  path: `/invoices/${encodeURIComponent(id)}`,
})

/** The only place that says which payments are confirmed. */
export const readPaymentsRequest = (id: string): BtcpayRequest => ({
  method: 'GET',
  path: `/invoices/${encodeURIComponent(id)}/payment-methods`,
})

/** The same of an invoice without its store: from 2.4 on the only form that is published, and unknown up to 2.3.9. */
export const withoutStore = (question: BtcpayRequest): BtcpayRequest => ({
  ...question,
  isWithoutStore: true,
})

export const requestUrl = (
  { url, storeId }: BtcpayStore,
  { path, isWithoutStore }: BtcpayRequest,
): string => `${url}/api/v1${isWithoutStore ? '' : `/stores/${encodeURIComponent(storeId)}`}${path}`
