/** Events that EasyPost sends to a webhook (docs.easypost.com/guides/webhooks-guide). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { normalizeText } from '#contract/text.ts'
import type { CarrierMessage, CarrierMessageResult } from '#server/carriers/port.ts'
import { jsonRecord, messageTrackingNumber } from '#server/carriers/wire/messages.ts'

const SIGNATURE_HEADER = 'x-hmac-signature'
const SIGNATURE_PREFIX = 'hmac-sha256-hex='

/** The secret is normalized (NFKD) before it signs the bytes of the body. */
export function readMessage(
  secret: string,
  { body, headers }: CarrierMessage,
): CarrierMessageResult {
  const right = Buffer.from(
    SIGNATURE_PREFIX
      + createHmac('sha256', normalizeText(secret, 'NFKD')).update(body).digest('hex'),
  )
  const claimed = Buffer.from(String(headers[SIGNATURE_HEADER] ?? ''))
  if (claimed.length !== right.length || !timingSafeEqual(claimed, right))
    return { kind: 'unsigned' }
  const { result } = jsonRecord(body)
  const tracker = jsonRecord(result)
  return tracker.object === 'Tracker'
    ? messageTrackingNumber(tracker.tracking_code)
    : { kind: 'other' }
}
