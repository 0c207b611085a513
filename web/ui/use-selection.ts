import { useState } from 'react'

/**
 * Rows of a list chosen by their boxes, for ListTable's `selection`. They stay chosen while other pages are looked at. `name` is
 * that of a row's box, `all` that of the box in the head, which chooses what may be chosen of this page.
 */
export type Selection<Row> = {
  /** In the order they were chosen, each as it was last seen. */
  rows: Row[]
  has: (row: Row) => boolean
  canSelect: (row: Row) => boolean
  setSelected: (rows: readonly Row[], on: boolean) => void
  clear: () => void
  rowLabelFor: (row: Row) => string
  selectAllLabel: string
}

type SelectionOptions<Row> = {
  /** The rows of this page, undefined while they are loading. What may no longer be chosen falls out of the selection. */
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
