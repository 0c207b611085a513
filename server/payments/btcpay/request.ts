import type { Cents } from '#contract/money.ts'
import { PAYMENT_TOLERANCE_PERCENT } from '#server/payments/port.ts'
import { MONITORING_MINUTES } from '#server/payments/rules.ts'

/** `url`: without a trailing slash; browsers use it too. */
export type BtcpayStore = {
  url: string
  storeId: string
  apiKey: string
  speedPolicy: 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed'
  expirationMinutes: number
}

/** `path`: below the store, or below the API's root with `isWithoutStore`. */
export type BtcpayRequest = {
  method: 'GET' | 'POST'
  path: string
  body?: object
  isWithoutStore?: true
}

/**
 * Without an amount any payment in time is full payment. `speedPolicy` overrides the store's
 * setting: a payment counts only after block confirmations. All versions serve this path below the
 * store.
 */
export const createInvoiceRequest = (
  { speedPolicy, expirationMinutes }: BtcpayStore,
  { reference, requested }: { reference: string; requested: Cents | null },
): BtcpayRequest => ({
  method: 'POST',
  path: '/invoices',
  body: {
    ...(requested !== null && { amount: (requested / 100).toFixed(2) }),
    currency: 'USD',
    metadata: { orderId: reference, itemDesc: 'Balance' },
    checkout: {
      speedPolicy,
      expirationMinutes,
      monitoringMinutes: MONITORING_MINUTES,
      paymentTolerance: requested === null ? 0 : PAYMENT_TOLERANCE_PERCENT,
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

/** Only this response has the status of each payment. */
export const readPaymentsRequest = (id: string): BtcpayRequest => ({
  method: 'GET',
  path: `/invoices/${encodeURIComponent(id)}/payment-methods`,
})

/** The path without the store: the only documented one from 2.4 on, unknown up to 2.3.9. */
export const withoutStore = (request: BtcpayRequest): BtcpayRequest => ({
  ...request,
  isWithoutStore: true,
})

export const requestUrl = (
  { url, storeId }: BtcpayStore,
  { path, isWithoutStore }: BtcpayRequest,
): string => `${url}/api/v1${isWithoutStore ? '' : `/stores/${encodeURIComponent(storeId)}`}${path}`
