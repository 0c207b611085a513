import type { TrackingStatus } from '#contract/tracking.ts'
import type {
  GeneratedColumn,
  NullableTimestamp,
  RequiredTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface Tables {
    parcel_tracking: {
      order_id: number
      user_id: number
      status: GeneratedColumn<TrackingStatus>
      detail: string | null
      event_at: NullableTimestamp
      last_checked_at: NullableTimestamp
      attempt: GeneratedColumn<number>
      next_check_at: NullableTimestamp
      auto_void_at: NullableTimestamp
      void_check_at: NullableTimestamp
      scanned_after_void_at: NullableTimestamp
      told_at: NullableTimestamp
    }
    carrier_message: { account: string; last_at: RequiredTimestamp; messages: number }
  }
}
