import type { RowField } from './rows.ts'

/** What to check in a row that is valid. `suggestion`: a value that is likely right. */
export type RowWarning = {
  field: RowField
  code: string
  message: string
  suggestion?: { value: string; label: string; field?: RowField }
}
