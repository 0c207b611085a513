import type { ScanFormState } from '#contract/scan-forms.ts'
import type { StoredAddress } from '#server/carriers/port.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
  NullableTimestamp,
} from '#server/platform/database/tables.ts'
import type { ServiceCount } from './rules.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    scan_form: {
      id: GeneratedColumn<number>
      key: GeneratedColumn<string>
      user_id: number
      state: GeneratedColumn<ScanFormState>
      sender: JsonColumn<StoredAddress>
      day: string
      services: JsonColumn<ServiceCount[]>
      labels: number
      carrier_account: string
      requested_by: number
      fence: GeneratedColumn<number>
      attempt: GeneratedColumn<number>
      run_after: DefaultTimestamp
      called_at: NullableTimestamp
      upstream_ref: string | null
      awaits_file: GeneratedColumn<boolean>
      files: GeneratedColumn<string[]>
      problem: string | null
      made_at: NullableTimestamp
      created_at: DefaultTimestamp
      updated_at: DefaultTimestamp
    }
  }
}
