import type { ColumnType, Generated } from 'kysely'

/** Filled in by the database at an insert. */
export type GeneratedColumn<T> = Generated<T>
/** Left out at an insert it is the database's clock. */
export type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>
export type RequiredTimestamp = ColumnType<Date, Date | string, Date | string>
export type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
/** jsonb: read as a value, written as JSON text. */
export type JsonColumn<T> = ColumnType<T, string, string>

/** Each module adds its own tables in its tables.ts. server/migrations says what a column means. */
export interface Tables {
  app_setting: { key: string; value: string; created_at: DefaultTimestamp }
  commit_mark: {
    process: string
    beats: GeneratedColumn<number>
    beat_at: DefaultTimestamp
    is_synchronous: boolean
    compared_on: string | null
    is_complete: boolean | null
    lost_ms: number | null
  }
  throttle: { key: string; hits: number; resets_at: RequiredTimestamp }
  mail: {
    id: GeneratedColumn<number>
    message_id: string
    kind: string
    user_id: number | null
    sealed: Buffer | null
    written: boolean
    recipient_hash: string | null
    recipient_hint: string | null
    created_at: DefaultTimestamp
    expires_at: RequiredTimestamp
    attempts: GeneratedColumn<number>
    next_attempt_at: DefaultTimestamp
    lease_until: NullableTimestamp
    problem: string | null
    ended_at: NullableTimestamp
    outcome: string | null
  }
  outbox: {
    id: GeneratedColumn<number>
    message_id: GeneratedColumn<string>
    user_id: number
    type: string
    data: JsonColumn<Record<string, unknown>>
    is_bulk_row: boolean
    at: DefaultTimestamp
  }
  outbox_subscription: { user_id: number; type: string; bulk_rows: boolean }
}
