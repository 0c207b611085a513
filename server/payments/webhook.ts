/** Webhooks in BTCPay's format, signed over their bytes. The sandbox sends the same. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_HEADER = 'btcpay-sig'

/** HMAC-SHA256 over the bytes: 'sha256=' and lower-case hex. */
export const signatureOf = (secret: string, bytes: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`

/** Constant-time comparison. */
export function hasValidSignature(
  secret: string,
  bytes: Uint8Array,
  header: string | undefined,
): boolean {
  const actual = Buffer.from(header ?? '')
  const expected = Buffer.from(signatureOf(secret, bytes))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** `id`: of the delivery; `reference`: ours, null for an invoice that we did not create. */
export type WebhookDelivery = {
  id: string
  storeId: string
  invoiceId: string
  reference: string | null
}

const IDENTIFIER = /^[\w.:-]{1,100}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Null if the webhook is not about an invoice. Neither its type nor amounts are read.
 */
export function readDelivery(bytes: Uint8Array): WebhookDelivery | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
  const { deliveryId: id, storeId, invoiceId, metadata } = recordOf(parsed)
  if (!isIdentifier(id) || !isIdentifier(invoiceId) || typeof storeId !== 'string') return null
  const { orderId } = recordOf(metadata)
  return {
    id,
    invoiceId,
    storeId,
    reference: typeof orderId === 'string' && UUID.test(orderId) ? orderId : null,
  }
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && IDENTIFIER.test(value)
const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
