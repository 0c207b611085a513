import { dollars } from '#contract/money.ts'
import type { OutboxMessage } from '#server/platform/outbox/outbox.ts'
import type { PurchaseClaim } from './queue-store.ts'
import type { Verdict } from './rules.ts'

type EndedLabel = {
  claim: Pick<PurchaseClaim, 'id' | 'userId' | 'batchId' | 'price'>
  verdict: Verdict
}

export const outcomeMessages = (ended: readonly EndedLabel[]): OutboxMessage[] =>
  ended.flatMap(({ claim: { id, userId, batchId, price }, verdict }): OutboxMessage[] => {
    const about = { userId, isBulkRow: batchId !== null }
    const label = { orderId: String(id), batchId: batchId === null ? null : String(batchId) }
    if (verdict.state === 'purchased') {
      const { state, trackingNumber } = verdict
      const data = { ...label, state, trackingNumber, amount: dollars(price) }
      return [{ ...about, type: 'label.bought', data }]
    }
    if (verdict.state !== 'failed') return []
    const { state, reason } = verdict
    return [
      { ...about, type: 'label.failed', data: { ...label, state, code: 'label_refused', reason } },
    ]
  })
