import type { CarrierLabelFormat, LabelMime } from '#server/carriers/port.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  NullableTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    label_file: {
      name: string
      user_id: number
      batch_id: number | null
      kind: 'pdf' | 'result-csv' | 'auto-csv'
      bytes: number
      sha256: string
      created_at: DefaultTimestamp
    }
    carrier_label_file: {
      order_id: number
      format: GeneratedColumn<CarrierLabelFormat>
      state: GeneratedColumn<'pending' | 'stored' | 'unavailable'>
      attempt: GeneratedColumn<number>
      run_after: DefaultTimestamp
      problem: string | null
      file_name: string | null
      mime: LabelMime | null
      bytes: number | null
      sha256: string | null
      stored_at: NullableTimestamp
      created_at: DefaultTimestamp
    }
  }
}
