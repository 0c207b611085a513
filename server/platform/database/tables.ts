import type { ColumnType, Generated } from 'kysely'

/** A column that the database fills in at an insert. */
export type GeneratedColumn<T> = Generated<T>
/** timestamptz, read as a Date. Left out at an insert it is the database's own clock. */
export type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>
export type RequiredTimestamp = ColumnType<Date, Date | string, Date | string>
export type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>
/** jsonb: read as a value, written as JSON text. */
export type JsonColumn<T> = ColumnType<T, string, string>

/**
 * The tables as Kysely sees them. Each module adds its own in its tables.ts. server/migrations has the meaning of each column,
 * server/schema/schema.sql all of them on one page.
 */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
export interface Tables {
  app_setting: { key: string; value: string; created_at: DefaultTimestamp }
  throttle: { key: string; hits: number; resets_at: RequiredTimestamp }
}
