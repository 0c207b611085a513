import type { RequiredTimestamp } from '#server/platform/database/tables.ts'

/** What every sum of labels counts. */
type SalesColumns = {
  labels: number
  charged_cents: number
  cost_cents: number
  voided: number
  refunded_cents: number
  refunded_cost_cents: number
}

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    report_progress: { only_row: boolean; last_transfer_id: number }
    user_sum: SalesColumns & {
      user_id: number
      period_start: RequiredTimestamp
      service_uid: string
      service_name: string
      deposited_cents: number
      available_cents: number
      held_cents: number
    }
    destination_sum: {
      user_id: number
      days: 0 | 1
      period_start: RequiredTimestamp
      state: string
      labels: number
    }
    trade_sum: SalesColumns & { period_start: RequiredTimestamp; service_uid: string }
    customer_sum: SalesColumns & {
      days: 1 | 16
      period_start: RequiredTimestamp
      user_id: number
    }
    carrier_account_progress: { only_row: boolean; last_transfer_id: number }
    carrier_account_sum: {
      account: string
      period_start: RequiredTimestamp
      labels: number
      cost_cents: number
      refunded_cost_cents: number
    }
    failure_sum: { period_start: RequiredTimestamp; reason: string; labels: number }
  }
}
