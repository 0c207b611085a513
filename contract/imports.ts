import * as z from 'zod'
import { boundedRecord } from './bounded-record.ts'
import { defineEndpoint, MessageResponse, Moment, UserParams } from './endpoint.ts'
import { OPTION_FIELDS } from './label-options.ts'
import { MAX_MAPPED_COLUMNS, MAX_MAPPED_VALUES, MAX_MAPPING_TEXT } from './mapping-limits.ts'
import { COLUMN_UNITS, LENGTH_UNITS, WEIGHT_UNITS } from './measures.ts'
import type { ColumnUnit } from './measures.ts'
import { FIELDS, MEASURES } from './rows.ts'
import type { RowField } from './rows.ts'
import { SOURCES } from './sources.ts'
import { shortenText } from './text.ts'

/** How the lines of a file become labels: one for each line, order or address. */
export const ROW_GROUPINGS = ['line', 'order', 'address'] as const
export type RowGrouping = (typeof ROW_GROUPINGS)[number]

export { MAX_MAPPING_TEXT } from './mapping-limits.ts'
export { COLUMN_UNITS, LENGTH_UNITS, WEIGHT_UNITS } from './measures.ts'
export type { ColumnUnit } from './measures.ts'

const ROW_FIELDS = FIELDS.map(({ name }) => name) as [RowField, ...RowField[]]

/** Beside the fields of a row: not read, parts and groups of fields of the receiver, units of the measures, and options. */
export const COLUMN_USES = [
  'unused',
  'FirstName',
  'LastName',
  'CityStateZip',
  'ToEmail',
  'StreetNumber',
  'WeightUnit',
  'SizeUnit',
  ...OPTION_FIELDS,
  ...ROW_FIELDS,
] as const
export type MappedUse = (typeof COLUMN_USES)[number]

const MappingText = z.string().max(MAX_MAPPING_TEXT)

const MappedColumn = z
  .object({
    header: z.string().max(MAX_MAPPING_TEXT),
    use: z.enum(COLUMN_USES),
    unit: z.enum(COLUMN_UNITS).optional(),
    /** Our service for each name of a service in the file. */
    values: boundedRecord(MappingText, MappingText, MAX_MAPPED_VALUES).optional(),
  })
  .superRefine(({ use, unit }, issues) => {
    if (unit === undefined) return
    const allowed = unitsFor(use)
    if (allowed.length > 0 && !allowed.includes(unit))
      issues.addIssue({
        code: 'custom',
        path: ['unit'],
        message: `must be ${allowed.join(', ')} for ${use}`,
        input: unit,
      })
  })

const isRowField = (name: string): boolean => (ROW_FIELDS as string[]).includes(name)
const Constants = boundedRecord(z.string(), MappingText, ROW_FIELDS.length).superRefine(
  (constants, issues) => {
    const unknown = Object.keys(constants).find(name => !isRowField(name))
    if (unknown !== undefined)
      issues.addIssue({
        code: 'custom',
        path: [shortenText(unknown)],
        message: 'must be a field of a row',
        input: unknown,
      })
  },
) as z.ZodType<Partial<Record<RowField, string>>>

/**
 * How the columns of a file are read: `columns` in the file's order, `constants` for fields without
 * a column. A unit counts for measures only; without one a measure is in pounds or inches. Where a file of a known source has
 * several columns for one field, version 2 gives the field to the source's preferred column; mappings without a version give it
 * to the first of them in the file.
 */
export const ColumnMapping = z.object({
  columns: z.array(MappedColumn).max(MAX_MAPPED_COLUMNS),
  constants: Constants,
  version: z.literal(2).optional(),
})
export type ColumnMapping = z.output<typeof ColumnMapping>

/** Units of a column with this use; none for a column that is not a measure. */
export function unitsFor(use: MappedUse): readonly ColumnUnit[] {
  if (use === 'PackageWeight') return WEIGHT_UNITS
  return (MEASURES as readonly string[]).includes(use) ? LENGTH_UNITS : []
}

/** The unit that the column is read in; undefined if it is not a measure. */
export const unitOf = ({
  use,
  unit,
}: Pick<z.output<typeof MappedColumn>, 'use' | 'unit'>): ColumnUnit | undefined =>
  unit ?? unitsFor(use)[0]

/** Per user. */
export const MAX_MAPPINGS = 50

/** SHA-256 of the header row, in lower-case hexadecimal. */
const Fingerprint = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
const MappingParams = UserParams.extend({ fingerprint: Fingerprint })

const SavedMapping = z.object({ fingerprint: z.string(), name: z.string(), usedAt: Moment })

export const listImports = defineEndpoint({
  name: 'listImports',
  method: 'GET',
  path: '/api/imports/:userId',
  access: 'self',
  isPersonal: true,
  summary:
    'List saved column mappings, last used first, and what one label is made for in files of each source',
  params: UserParams,
  response: z.object({
    mappings: z.array(SavedMapping),
    grouping: z.partialRecord(z.enum(SOURCES), z.enum(ROW_GROUPINGS)),
  }),
})

export const getMapping = defineEndpoint({
  name: 'getMapping',
  method: 'GET',
  path: '/api/imports/:userId/:fingerprint',
  access: 'self',
  isPersonal: true,
  refusals: [404],
  summary: 'Get the column mapping of a header row',
  params: MappingParams,
  response: z.object({ name: z.string(), mapping: ColumnMapping, usedAt: Moment }),
})

export const saveMapping = defineEndpoint({
  name: 'saveMapping',
  method: 'PUT',
  path: '/api/imports/:userId/:fingerprint',
  access: 'self',
  refusals: [409, 422],
  summary: `Save or replace the column mapping of a header row, as used now. At most ${MAX_MAPPINGS} are kept`,
  params: MappingParams,
  body: z.object({ name: z.string().max(1000), mapping: ColumnMapping }),
  response: MessageResponse.extend({ usedAt: Moment }),
})

export const deleteMapping = defineEndpoint({
  name: 'deleteMapping',
  method: 'DELETE',
  path: '/api/imports/:userId/:fingerprint',
  access: 'self',
  refusals: [404],
  summary: 'Delete the column mapping of a header row',
  params: MappingParams,
  response: MessageResponse,
})

export const saveGrouping = defineEndpoint({
  name: 'saveGrouping',
  method: 'PUT',
  path: '/api/imports/:userId/grouping',
  access: 'self',
  summary: 'Save what one label is made for in files of a source',
  params: UserParams,
  body: z.object({ source: z.enum(SOURCES), by: z.enum(ROW_GROUPINGS) }),
  response: MessageResponse,
})
