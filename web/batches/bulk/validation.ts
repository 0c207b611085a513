/** What is wrong with the rows of the table. One pure rule for each row, remembered by the row itself, so that 10,000 are judged once. */
import type { AvailableService } from '#contract/catalogue.ts'
import { hasNoErrors, rowErrors } from '#contract/row-rules.ts'
import type { RowErrors, RowRuleOptions } from '#contract/row-rules.ts'
import { fieldByName, FIELDS } from '#contract/rows.ts'
import type { Field, RowField } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { texts } from './texts.ts'

const FIELD_NAMES: ReadonlySet<string> = new Set(FIELDS.map(({ name }) => name))
const isRowField = (name: string): name is RowField => FIELD_NAMES.has(name)

export type RowValidator = (row: GridRow) => RowErrors

/** What the server said of rows as they were sent. A row that was changed since is another object and free of it. */
export type ServerRowErrors = ReadonlyMap<GridRow, RowErrors>
export const NO_SERVER_ERRORS: ServerRowErrors = new Map()

/** A service by its name or uid; both are taken by the server too. */
export const findServiceByName = (
  services: readonly AvailableService[],
  name: string,
): AvailableService | undefined =>
  services.find(service => service.name === name) ?? services.find(service => service.uid === name)

/** The rules for one row: its service decides how heavy it may be (pounds). */
export function rulesFor(
  services: readonly AvailableService[] | undefined,
  name: string,
  needService: boolean,
): RowRuleOptions {
  const maxWeight = services && findServiceByName(services, name)?.maxWeight
  return maxWeight === undefined ? { needService } : { needService, maxWeight }
}

type LoadedServices = readonly AvailableService[] | undefined
let lastValidator: {
  services: LoadedServices
  needService: boolean
  refused: ServerRowErrors
  validator: RowValidator
} | null = null

/**
 * `services` are undefined while they load: until then none is called unavailable. `needService` is asked once one was chosen.
 * The same question gets the same judge again, so that coming back to the page does not judge 10,000 rows anew (30 ms).
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
    const errors: RowErrors = { ...refused.get(row), ...rowErrors(row, rulesOf(row.ServiceName)) }
    if (row.ServiceName !== '' && services && !findServiceByName(services, row.ServiceName))
      errors.ServiceName ??= texts.unavailable
    cache.set(row, errors)
    return errors
  }
}

/** Places of the rows that cannot be bought yet, from 0. */
export function invalidRowIndexes(rows: readonly GridRow[], validateRow: RowValidator): number[] {
  const indexes: number[] = []
  rows.forEach((row, index) => {
    if (!hasNoErrors(validateRow(row))) indexes.push(index)
  })
  return indexes
}

/** The fields that are wrong somewhere. */
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

export type CellPosition = { row: number; column: number }

/** The bad cell after `from` in reading order, beginning again at the top; null when all are sound. */
export function nextInvalidCell(
  rows: readonly GridRow[],
  invalid: readonly number[],
  columns: readonly Field[],
  validateRow: RowValidator,
  from: CellPosition | null,
): CellPosition | null {
  const cells = (index: number): CellPosition[] => {
    const row = rows[index]
    if (!row) return []
    const errors = validateRow(row)
    return columns.flatMap(({ name }, column) => (errors[name] ? [{ row: index, column }] : []))
  }
  const start = from ?? { row: -1, column: -1 }
  const split = invalid.findIndex(index => index >= start.row)
  const order = split < 0 ? invalid : [...invalid.slice(split), ...invalid.slice(0, split)]
  for (const index of order) {
    const found = cells(index).find(cell => cell.row !== start.row || cell.column > start.column)
    if (found) return found
  }
  const first = invalid[0]
  return first === undefined ? null : (cells(first)[0] ?? null)
}

/** `{'17.ToZipPostal': …}` of the server, rows counted from 1, as what is wrong with the rows that were sent. */
export function toServerRowErrors(
  rows: readonly GridRow[],
  errors: Record<string, string>,
): ServerRowErrors {
  const refused = new Map<GridRow, RowErrors>()
  for (const [key, message] of Object.entries(errors)) {
    const [, rowNumber, name = ''] = /^(\d+)\.(\w+)$/.exec(key) ?? []
    const row = rows[Number(rowNumber) - 1]
    if (!row || !isRowField(name)) continue
    const field: RowField = name
    // Its sentences name the group, which the column head here does.
    const { group } = fieldByName(field)
    refused.set(row, {
      ...refused.get(row),
      [field]: message.startsWith(`${group} `) ? message.slice(group.length + 1) : message,
    })
  }
  return refused
}
