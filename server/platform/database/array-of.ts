import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

export type HiddenType = 'bigint' | 'bytea' | 'float8' | 'int' | 'text'

/**
 * An array whose length the planner does not see. With the length in sight it plans a statement for each execution, which takes
 * up to half the time of a statement for one row; without it one plan serves all. For statements that find their rows by keys.
 */
export const arrayOf = <T>(type: HiddenType, values: readonly T[]): RawBuilder<unknown> =>
  sql`(select ${values}::${sql.raw(type)}[])::${sql.raw(type)}[]`

/** The same for one value: the planner counts on rows that it has seen, and knows none of a new bulk order. */
export const scalarOf = <T>(type: HiddenType, value: T): RawBuilder<T> =>
  sql<T>`(select ${value}::${sql.raw(type)})`
