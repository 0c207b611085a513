import { useEffect, useMemo, useState } from 'react'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { inTurns } from './in-turns.ts'
import { usePlaces } from './use-places.ts'
import { checkAhead, countWarnedRows, rowWarnerFor, warningGroups } from './warnings.ts'
import type { RowWarner, WarningGroup } from './warnings.ts'

/** `warn`: of any row of the table. `rowCount`: rows with a warning. */
type TableWarnings = { warn: RowWarner; groups: WarningGroup[]; rowCount: number }

const NO_WARNINGS: [] = []
const NONE: TableWarnings = { warn: () => NO_WARNINGS, groups: [], rowCount: 0 }

/**
 * The warnings of the table. Large tables are checked in turns, so that the page stays usable; until
 * then the warnings before them are returned.
 */
export function useRowWarnings(
  rows: readonly GridRow[],
  skus: ReadonlyMap<string, SkuMeasures>,
  boughtBefore?: (row: GridRow) => boolean,
): TableWarnings {
  const places = usePlaces(rows.length > 0)
  const sources = useMemo(() => ({ places, skus, boughtBefore }), [places, skus, boughtBefore])
  const [warnings, setWarnings] = useState(NONE)
  useEffect(
    () =>
      inTurns(
        rows,
        part => checkAhead(part, sources),
        () => {
          const warn = rowWarnerFor(rows, sources)
          const groups = warningGroups(rows, warn)
          setWarnings({ warn, groups, rowCount: countWarnedRows(rows, warn) })
        },
      ),
    [rows, sources],
  )
  return warnings
}
