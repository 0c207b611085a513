import { useState } from 'react'
import type { GridRow } from '#web/batches/grid-row.ts'
import { useBulk } from './bulk-store.ts'
import type { BulkDraft } from './draft.ts'

type Table = Pick<BulkDraft, 'key' | 'files' | 'rows'>

const keepPlaces = (before: readonly GridRow[], now: readonly GridRow[]): boolean =>
  before.every((row, at) => row.id === now[at]?.id)

/** Whether its rows are in their places: a file that is added comes below them, but may combine some. */
export function isSameTable(before: Table, now: Table): boolean {
  if (before.key !== now.key || !before.files.every((file, at) => file === now.files[at]))
    return false
  return before.files.length === now.files.length || keepPlaces(before.rows, now.rows)
}

/** State that ends with the rows it is about, such as an open question: another tab submits some, or a file is read again. */
export function useOfTable<Value>(none: Value): [Value, (value: Value) => void] {
  const draft = useBulk(bulk => bulk.draft)
  const [state, setState] = useState<{ table: Table; value: Value }>({ table: draft, value: none })
  const isOfTable = isSameTable(state.table, draft)
  if (!isOfTable) setState({ table: draft, value: none })
  else if (state.table.files.length !== draft.files.length) setState({ ...state, table: draft })
  const set = (value: Value) => setState({ table: useBulk.getState().draft, value })
  return [isOfTable ? state.value : none, set]
}
