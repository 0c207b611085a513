import { useEffect, useMemo, useState } from 'react'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { stepsInTurns } from './in-turns.ts'
import { usePlaces } from './use-places.ts'
import { warningSteps } from './warnings.ts'
import type { TableWarnings } from './warnings.ts'

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
  useEffect(() => stepsInTurns(warningSteps(rows, sources), setWarnings), [rows, sources])
  return warnings
}
