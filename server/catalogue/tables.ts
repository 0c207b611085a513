import type { OptionKind } from '#contract/label-options.ts'
import type { PriceRule } from '#contract/price-rules.ts'
import type { PriceTable, StoredPriceRange } from '#contract/pricing.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
  NullableTimestamp,
  RequiredTimestamp,
} from '#server/platform/database/tables.ts'

/** New prices of a service, or its new costs. With a `rule`, they are its result. */
export type ServicePrices = {
  uid: string
  ranges: StoredPriceRange[]
  table: PriceTable | null
  rule?: PriceRule | null
}

/** Cents; null: not offered. */
export type OptionCents = Record<OptionKind, number | null>

export type PriceChangeState = 'scheduled' | 'applied' | 'canceled' | 'failed'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    default_service: {
      id: GeneratedColumn<number>
      uid: string
      name: string
      category: GeneratedColumn<string>
      max_weight: GeneratedColumn<number>
      offered: GeneratedColumn<boolean>
      enabled: GeneratedColumn<boolean>
      position: GeneratedColumn<number>
      max_loss_cents: number | null
    }
    user_service: {
      id: GeneratedColumn<number>
      user_id: number
      default_id: number
      name: string
      enabled: boolean
      /** False after the user has returned to the default services. */
      active: GeneratedColumn<boolean>
    }
    price_version: {
      id: GeneratedColumn<number>
      default_id: number | null
      user_service_id: number | null
      version: number
      ranges: JsonColumn<StoredPriceRange[]>
      price_table: JsonColumn<PriceTable | null>
      change_id: number | null
      rule: JsonColumn<PriceRule | null>
      cost_version_id: number | null
      set_by: number | null
      created_at: DefaultTimestamp
    }
    cost_version: {
      id: GeneratedColumn<number>
      default_id: number
      version: number
      ranges: JsonColumn<StoredPriceRange[]>
      price_table: JsonColumn<PriceTable | null>
      change_id: number
      created_at: DefaultTimestamp
    }
    carrier_quote: {
      account: string
      parcel: string
      cost_cents: number | null
      reason: string | null
      attempt: GeneratedColumn<number>
      asked_by: number
      asked_at: RequiredTimestamp
      asking_until: NullableTimestamp
      answered_at: NullableTimestamp
      expires_at: NullableTimestamp
    }
    option_price_version: {
      id: GeneratedColumn<number>
      default_id: number
      version: number
      cents: JsonColumn<OptionCents>
      set_by: number
      created_at: DefaultTimestamp
    }
    price_change: {
      id: GeneratedColumn<number>
      user_id: number | null
      request_key: string
      content: JsonColumn<ServicePrices[]>
      file_name: string | null
      reason: string
      state: PriceChangeState
      kind: GeneratedColumn<'prices' | 'costs'>
      starts_at: Date
      set_by: number
      ended_by: number | null
      ended_at: Date | null
      failure: string | null
      created_at: DefaultTimestamp
    }
    zone_matrix: {
      id: GeneratedColumn<number>
      zones: Buffer
      pairs: number
      content_hash: string
      reason: string
      set_by: number
      created_at: DefaultTimestamp
    }
  }
}
