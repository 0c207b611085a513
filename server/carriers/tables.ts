import type {
  DefaultTimestamp,
  GeneratedColumn,
  NullableTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    raw_service: {
      uid: string
      name: string
      category: string
      max_weight: number
      last_offered_at: DefaultTimestamp
    }
    carrier_call: {
      id: GeneratedColumn<number>
      order_id: number
      round: number
      attempt: number
      fence: number
      started_at: DefaultTimestamp
      finished_at: NullableTimestamp
      act: GeneratedColumn<'buy' | 'void'>
      account: string | null
      outcome:
        | 'bought'
        | 'permanent'
        | 'retryable'
        | 'unknown'
        | 'account'
        | 'voided'
        | 'submitted'
        | null
      code: string | null
      message: string | null
    }
    open_carrier_call: {
      order_id: number
      round: number
      attempt: number
      fence: number
      account: string
      started_at: DefaultTimestamp
      lease_until: Date
    }
    carrier_note: {
      reference: string
      round: number
      account: GeneratedColumn<string>
      upstream_ref: string
      buy_requested_at: NullableTimestamp
      recorded_at: DefaultTimestamp
    }
    carrier_budget: {
      account: string
      tokens: number
      filled_at: DefaultTimestamp
      paused_until: NullableTimestamp
      pause_reason: string | null
      paused_since: NullableTimestamp
      waits_for_administrator: GeneratedColumn<boolean>
      losses_since: NullableTimestamp
      silent_until: NullableTimestamp
    }
    service_source: { service_uid: string; rank: number; account_name: string }
    sandbox_purchase: {
      attempt_key: string
      reference: string
      round: number
      tracking_number: string
      service_uid: string
      cost_cents: number
      request_hash: string
      command: string | null
      bought_at: DefaultTimestamp
      voided_at: NullableTimestamp
    }
    sandbox_call_count: { attempt_key: string; refusals: number }
    sandbox_scan_form: { name: string; tracking_numbers: string[]; made_at: DefaultTimestamp }
  }
}
