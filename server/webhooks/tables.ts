import type { OffReason, TryOutcome, WebhookFormat, WebhookType } from '#contract/webhooks.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  NullableTimestamp,
  RequiredTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    webhook_endpoint: {
      id: GeneratedColumn<number>
      user_id: number
      url: string
      format: WebhookFormat
      types: WebhookType[]
      bulk_rows: boolean
      enabled: GeneratedColumn<boolean>
      off_reason: OffReason | null
      secret: Buffer
      previous_secret: Buffer | null
      previous_secret_until: NullableTimestamp
      created_at: DefaultTimestamp
      deleted_at: NullableTimestamp
      failing_since: NullableTimestamp
      failures_in_row: GeneratedColumn<number>
      paused_until: NullableTimestamp
      due_at: NullableTimestamp
      lease_until: NullableTimestamp
      fence: GeneratedColumn<number>
    }
    webhook_delivery: {
      id: GeneratedColumn<number>
      endpoint_id: number
      message_id: string
      type: WebhookType
      body: string
      created_at: DefaultTimestamp
      state: 'waiting' | 'once' | 'delivered' | 'failed' | 'canceled'
      tries: GeneratedColumn<number>
      next_try_at: NullableTimestamp
    }
    webhook_try: {
      id: GeneratedColumn<number>
      delivery_id: number
      is_replay: boolean
      at: RequiredTimestamp
      duration_ms: number
      outcome: TryOutcome
      status: number | null
      answer: string | null
    }
  }
}
