import type { WebhookType } from '#contract/webhooks.ts'
import type { Subscription } from '#server/platform/outbox/outbox.ts'

type Receiver = { enabled: boolean; types: readonly WebhookType[]; bulkRows: boolean }

/** What the outbox must write for the endpoints of a user. */
export function subscriptionsOf(endpoints: readonly Receiver[]): Subscription[] {
  const bulkRowsOf = new Map<WebhookType, boolean>()
  for (const { enabled, types, bulkRows } of endpoints) {
    if (!enabled) continue
    for (const type of types) bulkRowsOf.set(type, bulkRows || bulkRowsOf.get(type) === true)
  }
  return [...bulkRowsOf].map(([type, bulkRows]) => ({ type, bulkRows }))
}

/** Whether an endpoint receives a message. */
export const receives = (
  { types, bulkRows }: Receiver,
  message: { type: WebhookType; isBulkRow: boolean },
): boolean => types.includes(message.type) && (bulkRows || !message.isBulkRow)
