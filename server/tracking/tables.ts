import type { TrackingStatus } from '#contract/tracking.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  NullableTimestamp,
  RequiredTimestamp,
} from '#server/platform/database/tables.ts'

/** Why a receiver gets a mail. */
export type ReceiverMailKind = 'on-the-way' | 'delivered'

declare module '#server/platform/database/tables.ts' {
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
      page_token: GeneratedColumn<string | null>
      expected_day: GeneratedColumn<string | null>
    }
    parcel_event: {
      order_id: number
      at: RequiredTimestamp
      status: TrackingStatus
      text: string
      place: string
    }
    parcel_page_setting: {
      user_id: number
      seller_name: string
      contact: string
      mails_receivers: boolean
    }
    receiver_mail: {
      order_id: number
      kind: ReceiverMailKind
      user_id: number
      recipient_hash: string | null
      due_at: DefaultTimestamp
      decided_at: NullableTimestamp
      outcome: 'mailed' | 'stopped' | 'limited' | 'off' | null
    }
    receiver_stop: { recipient_hash: string; stopped_at: DefaultTimestamp }
    carrier_message: { account: string; last_at: RequiredTimestamp; messages: number }
  }
}
