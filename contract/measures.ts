/** Weights and lengths with a unit, as text: '8 oz', '1 lb 4 oz', '30 cm'. */
import type { RowField } from './rows.ts'
import { shortenText } from './text.ts'

export const WEIGHT_UNITS = ['lb', 'oz', 'kg', 'g'] as const
export const LENGTH_UNITS = ['in', 'cm', 'mm', 'ft'] as const
export const COLUMN_UNITS = [...WEIGHT_UNITS, ...LENGTH_UNITS] as const
export type ColumnUnit = (typeof COLUMN_UNITS)[number]

export type MeasureKind = 'weight' | 'length'

/** One of each in pounds or inches: the international pound is 0.45359237 kg, the inch 2.54 cm. */
const FACTORS: Record<ColumnUnit, number> = {
  lb: 1,
  oz: 1 / 16,
  kg: 1 / 0.45359237,
  g: 1 / 453.59237,
  in: 1,
  cm: 1 / 2.54,
  mm: 1 / 25.4,
  ft: 12,
}
const SPELLINGS: Record<ColumnUnit, readonly string[]> = {
  lb: ['lb', 'lbs', 'pound', 'pounds'],
  oz: ['oz', 'ozs', 'ounce', 'ounces'],
  kg: ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms', 'kilogramme', 'kilogrammes'],
  g: ['g', 'gr', 'gm', 'gram', 'grams', 'gramme', 'grammes'],
  in: ['in', 'inch', 'inches', '"', '”', '″', "''"],
  cm: ['cm', 'cms', 'centimeter', 'centimeters', 'centimetre', 'centimetres'],
  mm: ['mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres'],
  ft: ['ft', 'foot', 'feet', "'", '’', '′'],
}
const UNIT_BY_SPELLING = new Map<string, ColumnUnit>(
  Object.entries(SPELLINGS).flatMap(([unit, names]) =>
    names.map(name => [name, unit as ColumnUnit] as const),
  ),
)
const UNITS: Record<MeasureKind, readonly ColumnUnit[]> = {
  weight: WEIGHT_UNITS,
  length: LENGTH_UNITS,
}
const BASE: Record<MeasureKind, ColumnUnit> = { weight: 'lb', length: 'in' }

const ADDED: ReadonlySet<string> = new Set(['lb oz', 'oz lb', 'ft in', 'in ft'])
/** Whether two columns of a measure are parts of it, as pounds and ounces are. Other units say the same measure twice. */
export const addsUp = (a: ColumnUnit, b: ColumnUnit): boolean => ADDED.has(`${a} ${b}`)

const ENDS_IN_FIGURE = /[\d.]$/
/**
 * A measure of one or several columns as one text: '1 lb 4 oz'. `rowUnit`: what a column of units says, or ''.
 * With several columns each column's own unit counts first; with one, the row's.
 */
export const joinMeasures = (
  parts: readonly { amount: string; unit?: ColumnUnit }[],
  kind: MeasureKind,
  rowUnit: string,
): string =>
  parts
    .filter(({ amount }) => amount !== '')
    .map(({ amount, unit = '' }) => {
      if (!ENDS_IN_FIGURE.test(amount)) return amount
      const [first, second] = parts.length === 1 ? [rowUnit, unit] : [unit, rowUnit]
      return `${amount} ${first || second || BASE[kind]}`
    })
    .join(' ')

/** Which kind of measure a field holds, or null. */
export function measureKind(field: string): MeasureKind | null {
  if (field === 'PackageWeight') return 'weight'
  const lengths: readonly string[] = [
    'PackageLength',
    'PackageWidth',
    'PackageHeight',
  ] satisfies RowField[]
  return lengths.includes(field) ? 'length' : null
}

/** The unit in any usual spelling ('Lbs.', 'ounces', '″'), or null if it is not one of this kind. */
export function measureUnit(text: string, kind: MeasureKind): ColumnUnit | null {
  const unit = UNIT_BY_SPELLING.get(text.trim().toLowerCase().replace(/\.$/, ''))
  return unit !== undefined && UNITS[kind].includes(unit) ? unit : null
}

/** 'lb, oz, kg or g'. */
export const knownUnitsText = (kind: MeasureKind): string =>
  UNITS[kind].join(', ').replace(/, (\w+)$/, ' or $1')

/**
 * `value`: decimal pounds or inches with at most 4 decimals, or the text as it is where it is no
 * figure; `note`: what was read, if that changed the figure; `error`: why nothing was read.
 */
export type ReadMeasure = { value: string; note: string | null } | { value: string; error: string }

/** Longer text is no measure. */
const MAX_LENGTH = 60
const PLAIN = /^\+?(?:\d+(?:\.\d*)?|\.\d+)$/
/** One comma, not where it may separate thousands, as in '1,500'. */
const DECIMAL_COMMA = /^\s*\+?(?:0?,\d+|\d+,(?:\d{1,2}|\d{4,}))(?!\d)[^\d,]*$/
const FIGURE_WITH_COMMA = /^\+?\d*(?:,\d+)+$/
const PART = /(\d+(?:\.\d*)?|\.\d+)\s*(?:([a-z]+)\.?|(''|["”″'’′]))[\s,]*/giy

/**
 * Reads a measure with the unit of its cell or else of its column (`unit`, without one pounds or
 * inches): '8 oz' is '0.5', '1 lb 4 oz' is '1.25'. Other text is returned unchanged for the rules of
 * the row to refuse.
 */
export function parseMeasureWithUnit(
  given: string,
  kind: MeasureKind,
  unit: ColumnUnit = BASE[kind],
): ReadMeasure {
  if (given.length > MAX_LENGTH) return { value: given, note: null }
  const text = given.trim()
  if (PLAIN.test(text))
    return unit === BASE[kind]
      ? { value: text, note: null }
      : converted(Number(text) * FACTORS[unit], `${text} ${unit}`, kind)
  // The remedy of the row's rules needs the unit.
  if (unit !== BASE[kind] && FIGURE_WITH_COMMA.test(text))
    return { value: `${text} ${unit}`, note: null }
  const parts: [amount: string, spelling: string][] = []
  PART.lastIndex = 0
  let end = 0
  for (let part = PART.exec(text); part; part = PART.exec(text)) {
    parts.push([part[1]!, part[2] ?? part[3]!])
    end = PART.lastIndex
  }
  if (parts.length === 0 || end < text.length) return { value: given, note: null }
  let total = 0
  for (const [amount, spelling] of parts) {
    const known = measureUnit(spelling, kind)
    if (known === null) return { value: given, error: unknownUnitText(text, kind) }
    total += Number(amount) * FACTORS[known]
  }
  const isBase = parts.length === 1 && measureUnit(parts[0]![1], kind) === BASE[kind]
  return isBase ? { value: parts[0]![0], note: null } : converted(total, text, kind)
}

const unknownUnitText = (text: string, kind: MeasureKind): string =>
  `'${shortenText(text)}' has an unknown unit; use ${knownUnitsText(kind)}`

function converted(amount: number, text: string, kind: MeasureKind): ReadMeasure {
  const value = String(Number(amount.toFixed(4)))
  return { value, note: `${shortenText(text)} read as ${value} ${BASE[kind]}` }
}

/** '2.5 kg' of '2,5 kg'; null without a comma, and where it may separate thousands. */
export const withDecimalPoint = (text: string): string | null =>
  DECIMAL_COMMA.test(text) ? text.replace(',', '.') : null
