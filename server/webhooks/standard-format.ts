/** Standard Webhooks 1.0.0, so that the published libraries verify the messages. */
import { createHmac } from 'node:crypto'
import type { MessageFormat } from './formats.ts'

const SECRET_MARK = 'whsec_'

/** Bytes of a new secret; the standard allows 24 to 64. */
export const SECRET_BYTES = 32

export const secretText = (secret: Buffer): string => SECRET_MARK + secret.toString('base64')

/** `webhook-id` of a message: the same for each try and each endpoint. */
export const wireMessageId = (messageId: string): string => `msg_${messageId.replaceAll('-', '')}`

export const STANDARD_FORMAT: MessageFormat = {
  render: async (_, messages) =>
    new Map(
      messages.map(({ messageId, type, at, data }) => [
        messageId,
        JSON.stringify({ type, timestamp: at.toISOString(), data }),
      ]),
    ),
  sign({ messageId, body, seconds, secrets }) {
    const id = wireMessageId(messageId)
    const signatures = secrets.map(
      secret =>
        `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`,
    )
    return {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatures.join(' '),
    }
  },
}
