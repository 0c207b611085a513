/** The service of each row: a column that files of failed and of chosen rows have beside the template's. */
import type { AvailableService } from '#contract/catalogue.ts'
import { SERVICE_HEADER } from '#contract/faulty-rows.ts'
import { readCell } from '#web/batches/import/row-draft.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import type { FieldColumn } from './field-rows.ts'

/** What a cell may call a service. */
export type ServiceNames = Pick<AvailableService, 'name' | 'uid'>

const KEYS = [SERVICE_HEADER, 'Service name'].map(headerKey)

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * The column with the user's service for each of its texts, by name or uid in any case; null without
 * one, or where the services are not known.
 */
export function serviceColumn(
  { keys, records }: Sheet,
  services: readonly ServiceNames[] | undefined,
): FieldColumn | null {
  const at = keys.findIndex(key => KEYS.includes(key))
  if (at < 0 || services === undefined) return null
  const cells = new Set(records.map(record => readCell(record[at])))
  const values: Record<string, string> = {}
  for (const cell of cells) {
    const found =
      services.find(({ name }) => sameText(name, cell))
      ?? services.find(({ uid }) => sameText(uid, cell))
    if (found) values[cell] = found.name
  }
  return { at, use: 'ServiceName', values }
}
