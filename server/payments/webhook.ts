/** Messages of the payment service as they come: signed over their bytes, in BTCPay's form, which the sandbox's have too. Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header that has the signature. */
export const SIGNATURE_HEADER = 'btcpay-sig'

/** HMAC-SHA256 over the bytes, as the header has it: 'sha256=' and lower-case hex. */
export const signatureOf = (secret: string, bytes: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`

/** Whether the header is the signature of these very bytes. Takes as long for a wrong one as for the right one. */
export function hasValidSignature(
  secret: string,
  bytes: Uint8Array,
  header: string | undefined,
): boolean {
  const given = Buffer.from(header ?? '')
  const due = Buffer.from(signatureOf(secret, bytes))
  return given.length === due.length && timingSafeEqual(given, due)
}

/** `id`: of this delivery; `reference`: what we called the invoice when it was made, null when it is none of ours. */
export type WebhookDelivery = {
  id: string
  type: string
  storeId: string
  invoiceId: string
  reference: string | null
}

const IDENTIFIER = /^[\w.:-]{1,100}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What a message is about; null when it is not about an invoice. No amount is taken from it, and its type only for the log. */
export function readDelivery(bytes: Uint8Array): WebhookDelivery | null {
  let told: unknown
  try {
    told = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
  const { deliveryId: id, type, storeId, invoiceId, metadata } = recordOf(told)
  if (!isIdentifier(id) || !isIdentifier(invoiceId) || typeof storeId !== 'string') return null
  const { orderId } = recordOf(metadata)
  return {
    id,
    invoiceId,
    storeId,
    type: isIdentifier(type) ? type : 'unknown',
    reference: typeof orderId === 'string' && UUID.test(orderId) ? orderId : null,
  }
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && IDENTIFIER.test(value)
const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
