import type { DefaultTimestamp } from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    bought_before_restore: { order_id: number; next_check_at: DefaultTimestamp }
    postage_loss: {
      order_id: number
      round: number
      account: string
      outcome: 'refused' | 'bought'
      price_cents: number
      cost_cents: number
      recorded_at: DefaultTimestamp
    }
  }
}
