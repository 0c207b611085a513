import type { BatchStatus } from '#contract/batch-status.ts'
import type { ColumnMapping, RowGrouping } from '#contract/imports.ts'
import type { SourceId } from '#contract/sources.ts'
import type {
  DefaultTimestamp,
  GeneratedColumn,
  JsonColumn,
  NullableTimestamp,
} from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    batch: {
      id: GeneratedColumn<number>
      user_id: number
      status: BatchStatus | null
      content_hash: string | null
      file_name: GeneratedColumn<string | null>
      file_hash: GeneratedColumn<string | null>
      file_source: GeneratedColumn<SourceId | null>
      total_count: GeneratedColumn<number>
      cost_cents: GeneratedColumn<number>
      submission: GeneratedColumn<number>
      processed_count: GeneratedColumn<number>
      failed_count: GeneratedColumn<number>
      file_key: GeneratedColumn<string>
      pdf_name: string | null
      result_name: string | null
      confirm_name: string | null
      files_stale: GeneratedColumn<boolean>
      api_key_id: GeneratedColumn<number | null>
      change_count: GeneratedColumn<number>
      files_problem: string | null
      files_problem_at: NullableTimestamp
      work_lease_until: NullableTimestamp
      only_unknown_since: NullableTimestamp
      retried_at: NullableTimestamp
      created_at: DefaultTimestamp
      accepted_at: NullableTimestamp
      finished_at: NullableTimestamp
      updated_at: DefaultTimestamp
    }
    import_mapping: {
      user_id: number
      fingerprint: string
      name: string
      mapping: JsonColumn<ColumnMapping>
      used_at: DefaultTimestamp
    }
    import_grouping: { user_id: number; source: SourceId; grouped_by: RowGrouping }
  }
}
