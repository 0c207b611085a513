/** The errors of the table by their cause, so that one entry can fix many rows. Pure. */
import { isMangledNumber, suggestZip, withGroupName } from '#contract/row-rules.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import { FIELDS, fieldByName, MEASURES } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import { shortenText } from '#contract/text.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { RowValidator } from './validation.ts'

/**
 * One entry for all rows of a cause. `measures`: of a SKU, or these measures of rows without one;
 * `zips`: leading zeros that their states prove; `sender`: a saved address.
 */
export type FaultRemedy =
  | { kind: 'measures'; sku: string; fields: readonly RowField[] }
  | { kind: 'zips'; field: 'FromZipPostal' | 'ToZipPostal' }
  | { kind: 'sender' }

/** `text`: what is wrong, without the number of rows: 'NEW-SKU-1 has no measures'. */
export type FaultCause = { key: string; text: string; rows: number; remedy: FaultRemedy | null }

const SENDER_FIELDS = FIELDS.filter(field => field.group === 'From' && field.required).map(
  field => field.name,
)
const isBlank = (row: BulkRow, name: RowField): boolean => row[name].trim() === ''

/** Without the value behind the label, which may have any character. */
function withoutValue(message: string, label: string, value: string): string {
  const start = `${label} '${shortenText(value.trim())}'`
  return message.startsWith(start) ? label + message.slice(start.length) : message
}
/** What differs from row to row is left out: values, and the digits of a remedy. */
const shapeOf = (message: string): string => message.replace(/'[^']*'/g, '').replace(/\d+/g, '0')

function partsOf(text: string): [fault: string, remedy: string] {
  const at = text.indexOf('; ')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 2)]
}

/** For rows whose values differ: a remedy that names a value stays as an example. */
function sharedText(known: string, other: string): string {
  const [fault, remedy] = partsOf(known)
  const [, otherRemedy] = partsOf(other)
  if (remedy === otherRemedy || remedy.startsWith(texts.causes.example(''))) return known
  return remedy.includes("'") ? `${fault}; ${texts.causes.example(remedy)}` : fault
}

/** `shared`: without the value of the row. */
type RowCause = { key: string; text: string; shared: string; remedy: FaultRemedy | null }

/** By the errors of a row, which are one object until the row changes. */
const keptCauses = new WeakMap<RowErrors, RowCause[]>()

/** The causes of one row. `shared`: the text where the rows differ in their values. */
function causesIn(row: GridRow, errors: RowErrors): RowCause[] {
  const kept = keptCauses.get(errors)
  if (kept) return kept
  const causes = findCauses(row, errors)
  keptCauses.set(errors, causes)
  return causes
}

function findCauses(row: GridRow, errors: RowErrors): RowCause[] {
  const causes: RowCause[] = []
  const covered = new Set<RowField>()
  if (SENDER_FIELDS.every(name => errors[name] && isBlank(row, name))) {
    for (const name of SENDER_FIELDS) covered.add(name)
    causes.push({ key: 'sender', ...sameText(texts.causes.sender), remedy: { kind: 'sender' } })
  }
  const missing = MEASURES.filter(name => errors[name] && isBlank(row, name))
  if (missing.length > 0) {
    for (const name of missing) covered.add(name)
    causes.push(measuresCause(row.skuNumber.trim(), missing))
  }
  for (const { name } of FIELDS) {
    const message = errors[name]
    if (message && !covered.has(name)) causes.push(fieldCause(row, name, message))
  }
  return causes
}

const sameText = (text: string) => ({ text, shared: text })

function measuresCause(sku: string, fields: readonly RowField[]): RowCause {
  return {
    key: sku === '' ? `measures:${fields.join()}` : `sku:${sku}`,
    ...sameText(measuresText(sku, fields)),
    remedy: { kind: 'measures', sku, fields },
  }
}

function measuresText(sku: string, fields: readonly RowField[]): string {
  const missing = texts.causes.missing(fields.map(name => fieldByName(name).label.toLowerCase()))
  if (sku === '') return missing
  return fields.length === MEASURES.length
    ? texts.causes.noMeasures(sku)
    : texts.causes.skuHas(sku, missing)
}

function fieldCause(row: GridRow, name: RowField, message: string): RowCause {
  const lostZero =
    (name === 'ToZipPostal' || name === 'FromZipPostal') && zipWithZeros(row, name) !== null
  const shared = withoutValue(message, fieldByName(name).label, row[name])
  return {
    key: `${name}:${shapeOf(shared)}`,
    text: withGroupName(name, message),
    shared: withGroupName(name, shared),
    remedy: lostZero ? { kind: 'zips', field: name } : null,
  }
}

/** The ZIP with the leading zeros that its state proves; null if it lacks none. */
export function zipWithZeros(row: BulkRow, name: 'FromZipPostal' | 'ToZipPostal'): string | null {
  const zip = row[name].trim()
  const state = name === 'ToZipPostal' ? row.ToStateProvince : row.FromStateProvince
  return isMangledNumber(zip) ? null : suggestZip(zip, state)
}

export const faultKeys = (row: GridRow, errors: RowErrors): string[] =>
  causesIn(row, errors).map(({ key }) => key)

/** The causes of all invalid rows, the one with the most rows first. */
export function faultCauses(
  rows: readonly GridRow[],
  invalid: readonly number[],
  validateRow: RowValidator,
): FaultCause[] {
  const causes = new Map<string, { cause: FaultCause; shared: string }>()
  for (const index of invalid) {
    const row = rows[index]
    for (const { key, text, shared, remedy } of row ? causesIn(row, validateRow(row)) : []) {
      const known = causes.get(key)
      if (!known) {
        causes.set(key, { cause: { key, text, rows: 1, remedy }, shared })
        continue
      }
      const { cause } = known
      cause.rows += 1
      if (cause.remedy?.kind === 'measures' && remedy?.kind === 'measures')
        addFields(cause, cause.remedy, remedy.fields)
      else if (cause.text !== text) cause.text = known.shared = sharedText(known.shared, shared)
    }
  }
  return Array.from(causes.values(), ({ cause }) => cause).toSorted((a, b) => b.rows - a.rows)
}

/** Rows of one SKU may lack different measures. */
function addFields(
  cause: FaultCause,
  remedy: FaultRemedy & { kind: 'measures' },
  more: readonly RowField[],
): void {
  if (more.every(name => remedy.fields.includes(name))) return
  const fields = MEASURES.filter(name => remedy.fields.includes(name) || more.includes(name))
  cause.remedy = { ...remedy, fields }
  cause.text = measuresText(remedy.sku, fields)
}
