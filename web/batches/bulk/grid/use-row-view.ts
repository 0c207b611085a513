import { useState } from 'react'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { RowFacts, RowFilter, RowSort } from './row-filter.ts'
import { isFiltering, visibleRows } from './row-filter.ts'

/**
 * The shown rows. `rowAt`: the index in the table of a place from the top, -1 beyond the end;
 * `placeOf`: the reverse, -1 for a row that is not shown. `order` is null while all rows are shown in
 * the table's order.
 */
export type RowView = {
  order: readonly number[] | null
  count: number
  rowAt: (place: number) => number
  placeOf: (index: number) => number
}

type KeptView = {
  rows: readonly GridRow[]
  filter: string
  facts: RowFacts
  view: RowView
}

/**
 * Filters and sorts when the user asks for it and when rows come or go. An edit leaves the row where
 * it is, so that it does not jump away while the user works on it.
 */
export function useRowView(
  rows: readonly GridRow[],
  filter: RowFilter | null,
  sort: RowSort | null,
  facts: RowFacts,
): RowView {
  const asked = JSON.stringify([filter, sort])
  const next = (): KeptView => ({
    rows,
    filter: asked,
    facts,
    view: viewOf(rows, filter, sort, facts),
  })
  const [kept, setKept] = useState(next)
  if (kept.rows === rows && kept.filter === asked && kept.facts === facts) return kept.view
  const isStale =
    kept.filter !== asked
    || !hasSameIds(kept.rows, rows)
    || (kept.rows === rows && (filter !== null || sort !== null))
  const fresh = isStale ? next() : { ...kept, rows, facts }
  setKept(fresh)
  return fresh.view
}

function hasSameIds(before: readonly GridRow[], after: readonly GridRow[]): boolean {
  if (before.length !== after.length) return false
  for (let index = 0; index < after.length; index += 1) {
    if (before[index] !== after[index] && before[index]!.id !== after[index]!.id) return false
  }
  return true
}

function viewOf(
  rows: readonly GridRow[],
  filter: RowFilter | null,
  sort: RowSort | null,
  facts: RowFacts,
): RowView {
  const count = rows.length
  if (!sort && !isFiltering(filter)) {
    const inTable = (place: number) => (place >= 0 && place < count ? place : -1)
    return { order: null, count, rowAt: inTable, placeOf: inTable }
  }
  const order = visibleRows(rows, filter, sort, facts)
  const places = new Int32Array(count).fill(-1)
  for (const [place, index] of order.entries()) places[index] = place
  return {
    order,
    count: order.length,
    rowAt: place => order[place] ?? -1,
    placeOf: index => places[index] ?? -1,
  }
}
