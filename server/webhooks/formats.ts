/** How messages become bodies and signatures, by the format of an endpoint. */
import type { WebhookFormat } from '#contract/webhooks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { WaitingMessage } from '#server/platform/outbox/outbox.ts'

export type MessageToRender = Omit<WaitingMessage, 'id' | 'isBulkRow'>

/** `seconds`: Unix time of the try. `secrets`: the current one first. */
export type ToSign = {
  messageId: string
  body: string
  seconds: number
  secrets: readonly Buffer[]
}

export type MessageFormat = {
  /**
   * Bodies by message id, in the transaction that takes the messages. A message without a body is
   * not sent in this format.
   */
  render(tx: Tx, messages: readonly MessageToRender[]): Promise<Map<string, string>>
  /** Headers of one try. */
  sign(given: ToSign): Record<string, string>
}

export type MessageFormats = Record<WebhookFormat, MessageFormat>
