import { useMemo, useState } from 'react'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { GridModel } from './use-grid.ts'

type RowId = GridRow['id']

/**
 * Rows that are picked one by one on a phone. `ids`: null while the cards have no checkboxes.
 * `indexes`: of the picked rows that are shown, in their order.
 */
export type RowPicking = {
  ids: ReadonlySet<RowId> | null
  indexes: readonly number[]
  begin: () => void
  end: () => void
  pick: (id: RowId, on: boolean) => void
  pickAll: () => void
}

export function useRowPicking({ table, rows, view, shownIndexes }: GridModel): RowPicking {
  const { key } = table.draft
  const [state, setState] = useState<{ key: string; ids: ReadonlySet<RowId> } | null>(null)
  const ids = state?.key === key ? state.ids : null
  const indexes = useMemo(() => {
    if (!ids || ids.size === 0) return []
    const shown = view.order ?? rows.keys()
    return [...shown].filter(index => ids.has(rows[index]!.id))
  }, [ids, rows, view])
  const setIds = (next: ReadonlySet<RowId>) => setState({ key, ids: next })
  return {
    ids,
    indexes,
    begin: () => setIds(new Set()),
    end: () => setState(null),
    pick: (id, on) => {
      const next = new Set(ids)
      if (on) next.add(id)
      else next.delete(id)
      setIds(next)
    },
    pickAll: () => setIds(new Set(shownIndexes().map(index => rows[index]!.id))),
  }
}
