import { useState } from 'react'

/** Rows selected by checkboxes, for ListTable's `selection`. They stay selected across pages. */
export type Selection<Row> = {
  /** In order of selection, each as last loaded. */
  rows: Row[]
  has: (row: Row) => boolean
  canSelect: (row: Row) => boolean
  setSelected: (rows: readonly Row[], on: boolean) => void
  clear: () => void
  rowLabelFor: (row: Row) => string
  selectAllLabel: string
}

type SelectionOptions<Row> = {
  /**
   * Rows of this page, which replace their selected copies; undefined while loading. A row that is
   * no longer selectable leaves the selection.
   */
  pageRows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  canSelect: (row: Row) => boolean
  rowLabelFor: (row: Row) => string
  selectAllLabel: string
}

export function useSelection<Row>({
  pageRows = [],
  keyOf,
  canSelect,
  rowLabelFor,
  selectAllLabel,
}: SelectionOptions<Row>): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const fresh = new Map(pageRows.map(row => [keyOf(row), row]))
  const rows = [...chosen].map(([key, row]) => fresh.get(key) ?? row).filter(canSelect)
  const keys = new Set(rows.map(keyOf))
  return {
    rows,
    canSelect,
    rowLabelFor,
    selectAllLabel,
    has: row => keys.has(keyOf(row)),
    setSelected: (some, on) =>
      setChosen(() => {
        const next = new Map(rows.map(row => [keyOf(row), row]))
        for (const row of some) {
          if (on) next.set(keyOf(row), row)
          else next.delete(keyOf(row))
        }
        return next
      }),
    clear: () => setChosen(new Map()),
  }
}
