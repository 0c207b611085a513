import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
} from '#server/platform/database/tables.ts'
import type { StoredPriceRange } from './rules.ts'

declare module '#server/platform/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
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
      set_by: number | null
      created_at: DefaultTimestamp
    }
  }
}
