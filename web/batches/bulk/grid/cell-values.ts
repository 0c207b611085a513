/** What a typed or pasted text means in a cell. */
import { measureKind, parseMeasureWithUnit } from '#contract/measures.ts'
import { fieldByName, MEASURES } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import { tidyWithin } from '#contract/text.ts'

/** Tidied; a measure with a unit in pounds or inches: '8 oz' is '0.5'. */
export function typedValue(name: RowField, text: string): string {
  const tidy = tidyWithin(text, fieldByName(name).max)
  const kind = measureKind(name)
  return kind === null ? tidy : parseMeasureWithUnit(tidy, kind).value
}

/** The row with its measures read; the same row where none has a unit. */
export function withReadMeasures<Row extends BulkRow>(row: Row): Row {
  const changed = MEASURES.filter(name => typedValue(name, row[name]) !== row[name])
  if (changed.length === 0) return row
  const next: Row = { ...row }
  const cells: BulkRow = next
  for (const name of changed) cells[name] = typedValue(name, row[name])
  return next
}

const SIZE_SIGNS = /\s*[x×*]\s*/i
const LAST_UNIT = /\d\s*([a-z]+\.?|["”″])$/i

/** '9 x 6 x 3 cm' as three texts, each with the unit; null for text that is not three sides. */
export function splitSize(text: string): [string, string, string] | null {
  const sides = text
    .trim()
    .split(SIZE_SIGNS)
    .map(side => side.replace(/^[–-]$/, ''))
  const [length, width, height] = sides
  if (length === undefined || width === undefined || height === undefined || sides.length > 3)
    return null
  const unit = LAST_UNIT.exec(height)?.[1]
  const withUnit = (side: string) =>
    unit === undefined || side === '' || LAST_UNIT.test(side) ? side : `${side} ${unit}`
  return [withUnit(length), withUnit(width), height]
}
