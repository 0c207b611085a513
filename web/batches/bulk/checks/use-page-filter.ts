import { useMemo, useState } from 'react'
import type { RowFilter } from '#web/batches/bulk/grid/row-filter.ts'

export type PageFilter = {
  filter: RowFilter
  /** An absent or undefined condition is not asked for. */
  change: (change: PageConditions) => void
  clear: () => void
}
type PageConditions = {
  faults?: true | undefined
  cause?: string | undefined
  file?: number | undefined
}

const NO_FILTER: RowFilter = {}

/** What the page shows of the table, until another table comes. */
export function usePageFilter(tableKey: string): PageFilter {
  const [state, setState] = useState({ key: tableKey, filter: NO_FILTER })
  const filter = state.key === tableKey ? state.filter : NO_FILTER
  return useMemo(() => {
    const change = (next: PageConditions) => {
      const merged = { ...filter, ...next }
      setState({
        key: tableKey,
        filter: {
          ...(merged.faults && { faults: merged.faults }),
          ...(merged.cause !== undefined && { cause: merged.cause }),
          ...(merged.file !== undefined && { file: merged.file }),
        },
      })
    }
    return {
      filter,
      change,
      clear: () => setState({ key: tableKey, filter: NO_FILTER }),
    }
  }, [tableKey, filter])
}
