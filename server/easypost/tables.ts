import type { AddressVerifications } from '#contract/easypost-objects.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
  NullableTimestamp,
} from '#server/platform/database/tables.ts'
import type { StoredRate, StoredRates } from './rates.ts'
import type { AddressCopy, AddressText, BatchMemberState, ParcelCopy } from './rules.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    api_address: {
      id: GeneratedColumn<number>
      key: GeneratedColumn<string>
      user_id: number
      content: JsonColumn<AddressText>
      verifications: JsonColumn<AddressVerifications> | null
      used_at: DefaultTimestamp
      created_at: DefaultTimestamp
      updated_at: DefaultTimestamp
    }
    api_parcel: {
      id: GeneratedColumn<number>
      key: GeneratedColumn<string>
      user_id: number
      length: number | null
      width: number | null
      height: number | null
      weight: number
      used_at: DefaultTimestamp
      created_at: DefaultTimestamp
    }
    api_batch: {
      id: GeneratedColumn<number>
      key: GeneratedColumn<string>
      user_id: number
      reference: string | null
      label_format: 'pdf' | 'zpl' | null
      is_buying: GeneratedColumn<boolean>
      created_at: DefaultTimestamp
      updated_at: DefaultTimestamp
    }
    api_shipment: {
      id: GeneratedColumn<number>
      key: GeneratedColumn<string>
      user_id: number
      reference: string | null
      sender: JsonColumn<AddressCopy>
      receiver: JsonColumn<AddressCopy>
      parcel: JsonColumn<ParcelCopy>
      options: JsonColumn<Record<string, unknown>>
      rates: JsonColumn<StoredRates>
      rated_at: DefaultTimestamp
      selected: JsonColumn<StoredRate> | null
      order_id: number | null
      batch_id: number | null
      batch_service: string | null
      batch_state: BatchMemberState | null
      batch_message: string | null
      buy_after: NullableTimestamp
      api_key_id: number | null
      created_at: DefaultTimestamp
      updated_at: DefaultTimestamp
    }
    api_refund: {
      id: GeneratedColumn<number>
      key: GeneratedColumn<string>
      user_id: number
      order_id: number
      created_at: DefaultTimestamp
    }
  }
}
