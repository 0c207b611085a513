import type { ColumnType } from 'kysely'
import type { GeneratedColumn } from '#server/platform/database/tables.ts'

declare module '#server/platform/database/tables.ts' {
  interface Tables {
    /** numeric columns are read as text; the store turns them into numbers. */
    sku: {
      id: GeneratedColumn<number>
      user_id: number
      sku: string
      max_qty: number
      weight_lb: ColumnType<string, number, number>
      length_in: ColumnType<string, number, number>
      width_in: ColumnType<string, number, number>
      height_in: ColumnType<string, number, number>
      description: GeneratedColumn<string>
    }
  }
}
