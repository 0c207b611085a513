/** Suggests which column of an unknown file is which field, and checks a choice. */
import { unitOf, unitsFor } from '#contract/imports.ts'
import type { ColumnMapping, MappedUse } from '#contract/imports.ts'
import { addsUp, joinMeasures } from '#contract/measures.ts'
import { FIELDS, fieldByName, MEASURES } from '#contract/rows.ts'
import type { Field, RowField } from '#contract/rows.ts'
import { stateCode } from '#contract/states.ts'
import type { AlsoRead } from '#web/batches/import/import-file.ts'
import { isOfOtherSide, isPlainNumber, useOfHeader, useOfSimilarHeader } from './header-aliases.ts'

export type MappedColumn = ColumnMapping['columns'][number]

/** The service has a group of its own. */
export const MAPPED_FIELDS: readonly Field[] = FIELDS.filter(({ name }) => name !== 'ServiceName')

/** As the table names it: 'To City', 'Weight'. */
export const fieldTitle = ({ group, label }: Field): string =>
  group === 'From' || group === 'To' ? `${group} ${label}` : label

const PHONE = /^(?:\+?1[\s.-]*)?\(?\d{3}\)?[\s.-]*\d{3}[\s.-]*\d{4}$|^\(\+1\)[\d\s-]{10,}$/
/** Fields that are recognized by what is in their cells. */
const CONTENT: readonly (readonly [RowField, (value: string) => boolean])[] = [
  ['ToZipPostal', value => /^'?\d{5}(?:-\d{4})?$/.test(value)],
  ['ToStateProvince', value => stateCode(value) !== null],
  ['ToPhone', value => PHONE.test(value)],
]
const HAS_LETTER = /\p{L}/u
const TEXT_USES: ReadonlySet<MappedUse> = new Set<MappedUse>([
  'ToRecipientName',
  'FirstName',
  'LastName',
  'FromSenderName',
  'ToCity',
  'FromCity',
])

const PLACE_FIELDS: ReadonlySet<RowField> = new Set(['ToCity', 'ToStateProvince', 'ToZipPostal'])

const isPartOfName = (use: MappedUse): boolean => use === 'FirstName' || use === 'LastName'

type Suggestion = { at: number; use: MappedUse; unit?: MappedColumn['unit']; score: number }

function suggestionFor(header: string, samples: readonly string[], at: number): Suggestion | null {
  const fits = (use: MappedUse) =>
    !TEXT_USES.has(use) || samples.length === 0 || samples.some(value => HAS_LETTER.test(value))
  const named = useOfHeader(header)
  if (named && fits(named.use)) {
    const score = isPartOfName(named.use) ? 2.5 : named.isPlain ? 3 : 4
    return { at, use: named.use, unit: named.unit, score }
  }
  const similar = useOfSimilarHeader(header)
  if (similar && fits(similar.use)) return { at, use: similar.use, score: 2 }
  if (isOfOtherSide(header)) return null
  const content = CONTENT.find(([, test]) => samples.length > 0 && samples.every(test))
  return content ? { at, use: content[0], score: 1 } : null
}

/**
 * A use for every column: by its name, by a similar name, or by what its cells are; the surest
 * first, each field once. `samples`: some values of each column.
 */
export function suggestColumns(
  headers: readonly string[],
  samples: readonly (readonly string[])[],
): MappedColumn[] {
  const columns: MappedColumn[] = headers.map(header => ({ header, use: 'unused' }))
  const suggestions = headers
    .flatMap((header, at) => suggestionFor(header, samples[at] ?? [], at) ?? [])
    .sort((a, b) => b.score - a.score || a.at - b.at)
  for (const { at, use, unit } of suggestions) {
    // A weight without a unit beside one in ounces is likely the same weight.
    const isTaken = columns.some(
      column => column.use === use && !(unit && column.unit && addsUp(column.unit, unit)),
    )
    if (isTaken) continue
    if (isPartOfName(use) && columns.some(column => column.use === 'ToRecipientName')) continue
    columns[at] = { header: headers[at]!, use, ...(unit && { unit }) }
  }
  const afterStreet = columns.findIndex(({ use }) => use === 'ToStreet1') + 1
  const numbers = samples[afterStreet] ?? []
  const isStreetNumber =
    columns[afterStreet]?.use === 'unused'
    && isPlainNumber(headers[afterStreet]!)
    && numbers.length > 0
    && numbers.every(value => STREET_NUMBER.test(value.trim()))
    && columns.every(({ use }) => use !== 'StreetNumber')
  if (isStreetNumber) columns[afterStreet]!.use = 'StreetNumber'
  return columns
}

/** '5', '12 B', '10-12'. */
const STREET_NUMBER = /^\d{1,6}(?:[-/]\d{1,6})? ?\p{L}?$/u

/** Two to four words without a digit, the first and the last with a capital: 'Otto van Lindgren'. */
const PERSON = /^\p{Lu}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){0,2} \p{Lu}[\p{L}'’.-]*$/u

/**
 * An unused column whose values look like the names of receivers while their names have no column. To
 * be confirmed: a label with the wrong name is a lost parcel, and cities look alike.
 */
export function proposeColumn(
  columns: readonly MappedColumn[],
  samples: readonly (readonly string[])[],
  missing: readonly RowField[],
): { at: number; use: RowField } | null {
  if (!missing.includes('ToRecipientName')) return null
  const at = columns.findIndex(({ use, header }, place) => {
    const values = samples[place] ?? []
    return (
      use === 'unused'
      && !isOfOtherSide(header)
      && values.length > 0
      && values.every(value => PERSON.test(value.trim()))
    )
  })
  return at < 0 ? null : { at, use: 'ToRecipientName' }
}

/** Pounds and ounces of one weight are added, feet and inches too; otherwise a field has one column. */
function clashes(a: MappedColumn, b: MappedColumn): boolean {
  if (a.use === 'unused' || a.use !== b.use) return false
  const [one, other] = [unitOf(a), unitOf(b)]
  return one === undefined || other === undefined || !addsUp(one, other)
}

/** The places of two columns that are read as the same field; null if there are none. */
export function findClash(
  columns: readonly MappedColumn[],
): [first: number, second: number] | null {
  for (const [second, column] of columns.entries()) {
    const first = columns.findIndex((other, at) => at < second && clashes(other, column))
    if (first >= 0) return [first, second]
  }
  return null
}

/**
 * Required fields that have no column; a constant is needed for each. Measures may come from the
 * SKU records, and an address of the address book is used where the file names no sender.
 */
export function fieldsWithoutColumn(
  columns: readonly MappedColumn[],
  hasSender: boolean,
): RowField[] {
  const has = (use: MappedUse) => columns.some(column => column.use === use)
  const hasFrom = FIELDS.some(({ name, group }) => group === 'From' && has(name))
  return FIELDS.filter(({ name, group, required }) => {
    if (!required || has(name)) return false
    if (group === 'From') return hasFrom || !hasSender
    if (name === 'ToRecipientName') return !has('FirstName') && !has('LastName')
    if (PLACE_FIELDS.has(name)) return !has('CityStateZip')
    return !(has('skuNumber') && MEASURES.some(measure => measure === name))
  }).map(({ name }) => name)
}

/**
 * Whether the source still reads this column after the user's changes. A second column of a field is read only while the field's own
 * column and unit are unchanged. `before`: the columns of the last reading.
 */
export function isStillRead(
  { ifEmpty }: AlsoRead,
  before: readonly MappedColumn[],
  now: readonly MappedColumn[],
): boolean {
  if (ifEmpty === undefined) return true
  const use = before[ifEmpty]?.use
  return now.every((column, at) => {
    const old = before[at]
    if (column.use !== use) return old?.use !== use
    return old?.use === use && unitOf(column) === unitOf(old)
  })
}

/** The mapping as saved: only constants that count, units of measures only. */
export function mappingOf(
  columns: readonly MappedColumn[],
  constants: ColumnMapping['constants'],
  hasSender: boolean,
): ColumnMapping {
  const missing = fieldsWithoutColumn(columns, hasSender)
  return {
    columns: columns.map(({ header, use, unit, values }) => ({
      header,
      use,
      ...(unit && unitsFor(use).includes(unit) && { unit }),
      ...(use === 'ServiceName' && values && { values }),
    })),
    constants: Object.fromEntries(
      missing.flatMap(name => {
        const value = constants[name]?.trim() ?? ''
        return value === '' ? [] : [[name, value] as const]
      }),
    ),
    version: 2,
  }
}

/** The first required field with neither a column nor a constant. */
export const firstMissing = (
  { columns, constants }: ColumnMapping,
  hasSender: boolean,
): Field | null => {
  const name = fieldsWithoutColumn(columns, hasSender).find(field => !constants[field]?.trim())
  return name === undefined ? null : fieldByName(name)
}

/** 'June Rivera', '1 Park Pl', 'Portland ME 04101', '24 oz': the receiver and the weight of a row. `cells`: as in the file. */
export function firstRowParts(
  columns: readonly MappedColumn[],
  constants: ColumnMapping['constants'],
  cells: readonly string[],
): string[] {
  const valueOf = (use: MappedUse): string => {
    const at = columns.findIndex(column => column.use === use)
    return at < 0 ? (constants[use as RowField] ?? '').trim() : (cells[at] ?? '')
  }
  const joined = (...uses: MappedUse[]) => uses.map(valueOf).filter(Boolean).join(' ')
  const weights = columns.flatMap(({ use, unit }, at) =>
    use === 'PackageWeight' ? { amount: cells[at] ?? '', unit } : [],
  )
  if (weights.length === 0) weights.push({ amount: valueOf('PackageWeight'), unit: undefined })
  return [
    valueOf('ToRecipientName') || joined('FirstName', 'LastName'),
    joined('StreetNumber', 'ToStreet1'),
    valueOf('CityStateZip') || joined('ToCity', 'ToStateProvince', 'ToZipPostal'),
    joinMeasures(weights, 'weight', valueOf('WeightUnit')),
  ].filter(Boolean)
}
