/** What we ask of BTCPay Server (Greenfield API), as its published contract has it. Pure. */
import { WATCHED_MIN } from '#server/payments/rules.ts'

/** `url`: without a slash at the end, as browsers reach it, too. */
export type Store = {
  url: string
  storeId: string
  apiKey: string
  speedPolicy: 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed'
  expirationMinutes: number
}

/** A question: its path below the store (`isBare`: below no store) and, for what makes something, its body. */
export type Question = { method: 'GET' | 'POST'; path: string; body?: object; isBare?: true }

/**
 * Makes an invoice without an amount: a top-up, for which whatever is paid in time is full payment. A payment counts only when blocks have
 * confirmed it, whatever the store's own setting says. The form under the store is served by all versions.
 */
export const createInvoice = (
  { speedPolicy, expirationMinutes }: Store,
  reference: string,
): Question => ({
  method: 'POST',
  path: '/invoices',
  body: {
    currency: 'USD',
    metadata: { orderId: reference, itemDesc: 'Balance' },
    checkout: {
      speedPolicy,
      expirationMinutes,
      monitoringMinutes: WATCHED_MIN,
      paymentTolerance: 0,
    },
  },
})

export const findInvoices = (reference: string): Question => ({
  method: 'GET',
  path: `/invoices?${new URLSearchParams({ orderId: reference })}`,
})

export const readInvoice = (id: string): Question => ({
  method: 'GET',
  path: `/invoices/${encodeURIComponent(id)}`,
})

/** The only place that says which payments are confirmed. */
export const readPayments = (id: string): Question => ({
  method: 'GET',
  path: `/invoices/${encodeURIComponent(id)}/payment-methods`,
})

/** The same of an invoice without its store: from 2.4 on the only form that is published, and unknown up to 2.3.9. */
export const bare = (question: Question): Question => ({ ...question, isBare: true })

export const urlOf = ({ url, storeId }: Store, { path, isBare }: Question): string =>
  `${url}/api/v1${isBare ? '' : `/stores/${encodeURIComponent(storeId)}`}${path}`
