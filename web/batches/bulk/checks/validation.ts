/**
 * Validates the rows of the table. The result is cached per row object, so 10,000 rows are
 * validated once.
 */
import type { AvailableService } from '#contract/catalogue.ts'
import { textsOf } from '#contract/fault-texts.ts'
import type { FieldCode, FieldFault } from '#contract/faults.ts'
import { kindsOf, optionCellFaults, optionsOfCells } from '#contract/label-options.ts'
import { hasNoErrors, rowFaults } from '#contract/row-rules.ts'
import type { RowErrors, RowFaults, RowRuleOptions } from '#contract/row-rules.ts'
import { fieldByName, FIELDS } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import { columnOfField } from '#web/batches/bulk/grid/columns.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

const FIELD_NAMES: ReadonlySet<string> = new Set(FIELDS.map(({ name }) => name))
const SHOWN_AT: Partial<Record<string, RowField>> = {
  items: 'orderItemId',
  signature: 'ServiceName',
  saturday: 'ServiceName',
}
const isRowField = (name: string): name is RowField => FIELD_NAMES.has(name)

export type RowValidator = (row: GridRow) => RowErrors

/** Of the invalid fields, the codes that are known: the server sends sentences alone. */
export type RowCodes = Partial<Record<RowField, FieldCode>>
const NO_CODES: RowCodes = {}
const codes = new WeakMap<RowErrors, RowCodes>()

/** The codes of errors that a validator returned. */
export const codesOf = (errors: RowErrors): RowCodes => codes.get(errors) ?? NO_CODES

/** The server's errors by row as sent. A changed row is another object and has none. */
export type ServerRowErrors = ReadonlyMap<GridRow, RowErrors>
export const NO_SERVER_ERRORS: ServerRowErrors = new Map()

/** By name or uid, as the server accepts both. */
export const findServiceByName = (
  services: readonly AvailableService[],
  name: string,
): AvailableService | undefined =>
  services.find(service => service.name === name) ?? services.find(service => service.uid === name)

/** The service of the row decides the maximum weight (pounds) and size. */
export function rulesFor(
  services: readonly AvailableService[] | undefined,
  name: string,
  needService: boolean,
): RowRuleOptions {
  const service = services && findServiceByName(services, name)
  return service
    ? { needService, maxWeight: service.maxWeight, serviceUid: service.uid }
    : { needService }
}

type LoadedServices = readonly AvailableService[] | undefined
let lastValidator: {
  services: LoadedServices
  needService: boolean
  refused: ServerRowErrors
  validator: RowValidator
} | null = null

/**
 * `services` is undefined while loading; until then no service is unavailable. `needService`: a row
 * without a service is an error. Equal arguments return the same validator, so returning to the
 * page does not validate 10,000 rows again (30 ms).
 */
export function rowValidatorFor(
  services: LoadedServices,
  needService: boolean,
  refused: ServerRowErrors = NO_SERVER_ERRORS,
): RowValidator {
  const same =
    lastValidator !== null
    && lastValidator.services === services
    && lastValidator.needService === needService
    && lastValidator.refused === refused
  const validator =
    same && lastValidator
      ? lastValidator.validator
      : createRowValidator(services, needService, refused)
  lastValidator = { services, needService, refused, validator }
  return validator
}

function createRowValidator(
  services: LoadedServices,
  needService: boolean,
  refused: ServerRowErrors,
): RowValidator {
  const cache = new WeakMap<GridRow, RowErrors>()
  const rules = new Map<string, RowRuleOptions>()
  const rulesOf = (name: string) => {
    const found = rules.get(name) ?? rulesFor(services, name, needService)
    rules.set(name, found)
    return found
  }
  return row => {
    const cached = cache.get(row)
    if (cached) return cached
    const faults = rowFaults(row, rulesOf(row.ServiceName))
    const isGone =
      row.ServiceName !== '' && services && !findServiceByName(services, row.ServiceName)
    if (isGone) faults.ServiceName ??= { code: 'service_not_available', text: texts.unavailable }
    const optionFault = (row.signature || row.saturday) && optionFaultOf(row, services)
    if (optionFault) faults.ServiceName ??= optionFault
    const errors: RowErrors = { ...refused.get(row), ...textsOf(faults) }
    if (!hasNoErrors(faults)) codes.set(errors, codesIn(faults))
    cache.set(row, errors)
    return errors
  }
}

/** Shown at the service, which decides what a label may ask for. */
function optionFaultOf(row: GridRow, services: LoadedServices): FieldFault | undefined {
  const [unread] = Object.values(optionCellFaults(row))
  if (unread) return unread
  const offers = services && findServiceByName(services, row.ServiceName)?.options
  const missing = kindsOf(optionsOfCells(row)).find(kind => offers?.[kind].price === null)
  return missing && { code: 'option_not_offered', text: offers![missing].reason! }
}

function codesIn(faults: RowFaults): RowCodes {
  const found: RowCodes = {}
  for (const name in faults) found[name as RowField] = faults[name as RowField]!.code
  return found
}

export function invalidRowIndexes(rows: readonly GridRow[], validateRow: RowValidator): number[] {
  const indexes: number[] = []
  rows.forEach((row, index) => {
    if (!hasNoErrors(validateRow(row))) indexes.push(index)
  })
  return indexes
}

/** The fields with an error in any row. */
export function invalidFields(
  rows: readonly GridRow[],
  invalid: readonly number[],
  validateRow: RowValidator,
): Set<string> {
  const fields = new Set<string>()
  for (const index of invalid) {
    const row = rows[index]
    for (const name in row && validateRow(row)) fields.add(name)
  }
  return fields
}

type ErrorPlace = { row: number; field: RowField }

/**
 * The next or previous cell with an error, row by row, starting over at the end; null if there is
 * none. `from`: the cell to go on from, null for the first error.
 */
export function stepToError(
  rows: readonly GridRow[],
  invalid: readonly number[],
  validateRow: RowValidator,
  from: { row: number; key: string } | null,
  direction: 'next' | 'back',
): ErrorPlace | null {
  const step = direction === 'next' ? 1 : -1
  const cells = invalid.flatMap(index => faultyCells(index, rows[index], validateRow))
  if (cells.length === 0) return null
  const { row, key } = from ?? { row: -1, key: '' }
  const at = cells.findIndex(cell => cell.row === row && cell.key === key)
  if (at >= 0) return cells.at((at + step) % cells.length) ?? null
  // Not on an error: the next one is in this row or below it, the previous one above it.
  const found =
    direction === 'next'
      ? cells.find(cell => cell.row >= row)
      : cells.findLast(cell => cell.row < row)
  return found ?? cells.at(direction === 'next' ? 0 : -1) ?? null
}

/** One for each cell: the sides of a size are in one. */
function faultyCells(
  index: number,
  row: GridRow | undefined,
  validateRow: RowValidator,
): (ErrorPlace & { key: string })[] {
  const errors: RowErrors = row ? validateRow(row) : {}
  const cells: (ErrorPlace & { key: string })[] = []
  for (const { name: field } of FIELDS) {
    if (!errors[field]) continue
    const { key } = columnOfField(field)
    if (cells.at(-1)?.key !== key) cells.push({ row: index, field, key })
  }
  return cells
}

/**
 * The server's `{'17.ToZipPostal': …}`, rows counted from 1, as errors of the rows that were sent;
 * those of a row's `items` are shown at its Item ID, those of its options at its service.
 */
export function toServerRowErrors(
  rows: readonly GridRow[],
  errors: Record<string, string>,
): ServerRowErrors {
  const refused = new Map<GridRow, RowErrors>()
  for (const [key, message] of Object.entries(errors)) {
    const [, rowNumber, name = ''] = /^(\d+)\.(\w+)$/.exec(key) ?? []
    const row = rows[Number(rowNumber) - 1]
    const field = SHOWN_AT[name] ?? name
    if (!row || !isRowField(field)) continue
    // The server's text names the group, which the column head shows here.
    const { group } = fieldByName(field)
    const isOfGroup = name === field && message.startsWith(`${group} `)
    const shown = isOfGroup ? message.slice(group.length + 1) : message
    refused.set(row, { ...refused.get(row), [field]: shown })
  }
  return refused
}
