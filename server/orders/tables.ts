import type { Signature } from '#contract/label-options.ts'
import type { StoredAddress, StoredPackage } from '#server/carriers/port.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
  NullableTimestamp,
  RequiredTimestamp,
} from '#server/platform/database/tables.ts'
import type { OrderState, StoredItem } from './rules.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    shipment_order: {
      id: GeneratedColumn<number>
      user_id: number
      batch_id: number | null
      row_no: number | null
      state: GeneratedColumn<OrderState>
      round: GeneratedColumn<number>
      attempt: GeneratedColumn<number>
      fence: GeneratedColumn<number>
      lease_until: NullableTimestamp
      run_after: DefaultTimestamp
      service_uid: string
      service_name: string
      price_cents: number
      options_cents: GeneratedColumn<number>
      price_version_id: GeneratedColumn<number | null>
      quoted_cents: GeneratedColumn<number | null>
      quoted_at: NullableTimestamp
      signature: GeneratedColumn<Signature>
      saturday: GeneratedColumn<boolean>
      sender: JsonColumn<StoredAddress>
      receiver: JsonColumn<StoredAddress>
      package: JsonColumn<StoredPackage>
      manifested: GeneratedColumn<boolean>
      order_ref: string | null
      item_ref: string | null
      items: GeneratedColumn<StoredItem[] | null>
      pdf_key: GeneratedColumn<string>
      tracking_number: string | null
      cost_cents: number | null
      reason: string | null
      api_key_id: GeneratedColumn<number | null>
      replaced_by: number | null
      queued_at: DefaultTimestamp
      unknown_since: NullableTimestamp
      purchased_at: NullableTimestamp
      carrier_account: string | null
      answer_missing_at: NullableTimestamp
      carrier_refusal: string | null
      void_requested_at: NullableTimestamp
      void_requested_by: number | null
      void_attempt: GeneratedColumn<number>
      void_reason: string | null
      void_submitted_at: NullableTimestamp
      void_confirmed_at: NullableTimestamp
      refund_due_at: NullableTimestamp
      void_is_automatic: GeneratedColumn<boolean>
      voided_at: NullableTimestamp
      scan_form_id: GeneratedColumn<number | null>
      created_at: DefaultTimestamp
    }
    user_order_count: { user_id: number; orders: number }
    order_list_entry: {
      user_id: number
      position: number
      order_id: number
      placed_at: RequiredTimestamp
      reference: string | null
      search_words: string
    }
    order_item: {
      user_id: number
      reference: string
      item_ref: string | null
      order_id: number
      placed_at: RequiredTimestamp
    }
    order_request: {
      user_id: number
      key: string
      body_hash: string
      order_id: number
      created_at: DefaultTimestamp
    }
  }
}
