import type { AdjustmentRuleKind, Measures } from '#contract/adjustments.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
  NullableTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    carrier_adjustment: {
      id: GeneratedColumn<number>
      line_key: string
      file_name: string
      carrier: string
      tracking_number: string
      amount_cents: number
      line_cents: number
      is_total: boolean
      reported_on: string | null
      adjusted_on: string | null
      reason: string
      declared: JsonColumn<Measures>
      measured: JsonColumn<Measures>
      order_id: number | null
      user_id: number | null
      carrier_account: string | null
      passed_cents: number | null
      rule: AdjustmentRuleKind | null
      limit_cents: number | null
      was_voided: GeneratedColumn<boolean>
      dispute: string | null
      disputed_at: NullableTimestamp
      dispute_answer: string | null
      answered_at: NullableTimestamp
      credited_back_at: NullableTimestamp
      credited_back_cents: GeneratedColumn<number>
      decided_by: number | null
      applied_by: number
      created_at: DefaultTimestamp
    }
    adjustment_rule: {
      user_id: number | null
      rule: AdjustmentRuleKind
      limit_cents: number | null
      set_by: number
      updated_at: DefaultTimestamp
    }
  }
}
