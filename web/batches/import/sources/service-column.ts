/** The service of each row: a column that files of failed and of chosen rows have beside the template's. */
import type { AvailableService } from '#contract/catalogue.ts'
import { SERVICE_HEADER } from '#contract/faulty-rows.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import { readCell } from '#web/client/read-cell.ts'
import type { FieldColumn } from './field-rows.ts'
import type { SourceContext } from './source.ts'

/** What a cell may call a service. */
export type ServiceNames = Pick<AvailableService, 'name' | 'uid'>

const KEYS = [SERVICE_HEADER, 'Service name'].map(headerKey)

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** By name or uid in any case. */
export const serviceNamed = <Service extends ServiceNames>(
  services: readonly Service[],
  text: string,
): Service | undefined =>
  services.find(({ name }) => sameText(name, text))
  ?? services.find(({ uid }) => sameText(uid, text))

/**
 * The column with the user's service for each of its texts; null without one, or if the services
 * are unknown.
 */
export function serviceColumn(
  { keys, records }: Sheet,
  { services, keepsUnknownServices }: SourceContext,
): FieldColumn | null {
  const at = keys.findIndex(key => KEYS.includes(key))
  if (at < 0 || services === undefined) return null
  const cells = new Set(records.map(record => readCell(record[at])))
  const values = Array.from(cells).flatMap(cell => {
    const name = serviceNamed(services, cell)?.name ?? (keepsUnknownServices ? cell : undefined)
    return name === undefined ? [] : [[cell, name] as const]
  })
  return { at, use: 'ServiceName', values: Object.fromEntries(values) }
}
