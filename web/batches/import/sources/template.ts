/** The bulk template: columns by name, also under usual other names. */
import type { ColumnMapping, ColumnUnit } from '#contract/imports.ts'
import { addsUp, knownUnitsText, measureKind, measureUnit } from '#contract/measures.ts'
import { FIELDS, MEASURES, TEMPLATE_HEADERS } from '#contract/rows.ts'
import type { Field, RowField } from '#contract/rows.ts'
import { shortenText } from '#contract/text.ts'
import { optionOfHeader } from '#web/batches/import/option-headers.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { texts } from '#web/batches/import/texts.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import { emailColumn, readEmails } from './email-column.ts'
import { columnUses, readFieldRows } from './field-rows.ts'
import type { FieldColumn } from './field-rows.ts'
import { itemsColumn, readItems } from './items-column.ts'
import { matchedColumns } from './mapped.ts'
import { serviceColumn } from './service-column.ts'
import type { Source, SourceContext, SourceRows } from './source.ts'

const t = texts.csv

/** Other names of the address columns, after FROM or TO. */
const ADDRESS_HEADER_ALIASES: Record<string, string[]> = {
  NAME: ['sendername', 'recipientname', 'fullname', 'contact'],
  COMPANY: ['companyname', 'organization'],
  PHONE: ['phonenumber', 'telephone'],
  'ADDRESS 1': ['address', 'street', 'street1', 'addressline1'],
  'ADDRESS 2': ['street2', 'addressline2'],
  CITY: ['town'],
  STATE: ['stateprovince', 'province'],
  ZIP: ['zipcode', 'postalcode', 'zippostal', 'zippostalcode'],
  COUNTRY: ['countrycode'],
}

/** Other names of the columns that are neither FROM nor TO. */
const HEADER_ALIASES: Partial<Record<RowField, string[]>> = {
  skuNumber: ['skunumber'],
  quantity: ['qty'],
  orderItemId: ['itemid'],
  orderId: ['ordernumber'],
  PackageReference1: ['reference1'],
  PackageReference2: ['reference2'],
}

const headerKeysFor = (field: Field): string[] => {
  const [, side = '', part = ''] = /^(FROM|TO) (.*)$/.exec(field.header) ?? []
  const others = side
    ? (ADDRESS_HEADER_ALIASES[part] ?? []).map(name => side.toLowerCase() + name)
    : (HEADER_ALIASES[field.name] ?? [])
  return [headerKey(field.header), headerKey(field.name), ...others]
}

/** A service is read only from a column that names services of the user. */
const IMPORTED_FIELDS = FIELDS.filter(field => field.name !== 'ServiceName')
const FIELD_BY_HEADER = new Map<string, Field>(
  IMPORTED_FIELDS.flatMap(field => headerKeysFor(field).map(name => [name, field] as const)),
)
/** Columns that our result files add to the template. They are ignored without a notice. */
const IGNORED_HEADERS = new Set([
  'row',
  'status',
  'trackingnumber',
  'trackingpage',
  'price',
  'reason',
  'service',
  'servicename',
  '',
])

/** Columns that name the unit of the measures in their row. */
const UNIT_COLUMN_USES = new Map<string, 'WeightUnit' | 'SizeUnit'>([
  ['weightunit', 'WeightUnit'],
  ['weightunits', 'WeightUnit'],
  ['dimensionunit', 'SizeUnit'],
  ['dimensionsunit', 'SizeUnit'],
  ['sizeunit', 'SizeUnit'],
])
const MEASURE_HEADER = /^(?:package)?[\s_-]*(weight|length|width|height)[\s_-]*(.*)$/i
const UNIT_COLUMNS = new Map<string, ColumnUnit>([
  ['pounds', 'lb'],
  ['ounces', 'oz'],
])
const MEASURE_FIELDS: Record<string, (typeof MEASURES)[number]> = {
  weight: 'PackageWeight',
  length: 'PackageLength',
  width: 'PackageWidth',
  height: 'PackageHeight',
}

/**
 * The measure of a header with its unit: 'Weight (oz)', 'weight_kg', 'Ounces'. `unit` is null where
 * the text after the name is no unit.
 */
function measureHeader(
  header: string,
): { name: (typeof MEASURES)[number]; unit: ColumnUnit | null } | null {
  const ofWeight = UNIT_COLUMNS.get(headerKey(header))
  if (ofWeight) return { name: 'PackageWeight', unit: ofWeight }
  const [, word = '', rest = ''] = MEASURE_HEADER.exec(header.slice(0, 100).trim()) ?? []
  const name = MEASURE_FIELDS[word.toLowerCase()]
  const kind = name && measureKind(name)
  if (!kind || rest === '') return null
  const unit = rest
    .replace(/[^a-z"'”″]+/gi, ' ')
    .trim()
    .replace(/^in (?=\S)/i, '')
  return { name, unit: measureUnit(unit, kind) }
}

type TemplateColumns = { columns: FieldColumn[]; unused: string[]; unknownUnits: string[] }

function templateColumns(header: readonly string[], keys: readonly string[]): TemplateColumns {
  const columns: FieldColumn[] = []
  const unused: string[] = []
  const unknownUnits: string[] = []
  const isFree = (name: RowField, unit?: ColumnUnit) =>
    columns.every(
      column => column.use !== name || (unit && column.unit && addsUp(column.unit, unit)),
    )
  keys.forEach((key, at) => {
    const name = header[at] ?? ''
    const field = FIELD_BY_HEADER.get(key)
    if (field && isFree(field.name)) return columns.push({ at, use: field.name })
    const unitOf = UNIT_COLUMN_USES.get(key)
    if (unitOf && !columns.some(({ use }) => use === unitOf))
      return columns.push({ at, use: unitOf })
    const option = optionOfHeader(key)
    if (option && !columns.some(({ use }) => use === option))
      return columns.push({ at, use: option })
    const measure = field ? null : measureHeader(name)
    if (measure?.unit && isFree(measure.name, measure.unit))
      return columns.push({ at, use: measure.name, unit: measure.unit })
    if (measure && measure.unit === null && /[([]/.test(name)) unknownUnits.push(name)
    if (field || !IGNORED_HEADERS.has(key)) unused.push(name)
    return 0
  })
  return { columns, unused, unknownUnits }
}

const isAddressKey = (key: string): boolean =>
  ['From', 'To'].includes(FIELD_BY_HEADER.get(key)?.group ?? '')

const TEMPLATE_KEYS = TEMPLATE_HEADERS.map(headerKey)
/** With so many of the template's own columns, a file is the template with some missing. */
const TEMPLATE_LIKE = TEMPLATE_KEYS.length / 2

/** Required columns that a header lacks. Measures may come from the SKU records. */
function missingHeaders({ columns }: TemplateColumns, hasSender: boolean): string[] {
  const has = (name: RowField) => columns.some(({ use }) => use === name)
  const fillsFrom =
    hasSender && !IMPORTED_FIELDS.some(field => field.group === 'From' && has(field.name))
  return IMPORTED_FIELDS.filter(field => field.required && !has(field.name))
    .filter(field => !(fillsFrom && field.group === 'From'))
    .filter(field => !(has('skuNumber') && MEASURES.some(measure => measure === field.name)))
    .map(field => field.header)
}

/**
 * Of a header that no source knows: what it lacks to be the template, if it has most of its columns
 * or all but units that are known; else null.
 */
export function templateProblem(
  file: string,
  header: readonly string[],
  hasSender: boolean,
): string | null {
  const keys = header.map(headerKey)
  const found = templateColumns(header, keys)
  const missing = missingHeaders(found, hasSender)
  const known = TEMPLATE_KEYS.filter(key => keys.includes(key)).length
  if (!keys.some(isAddressKey) || missing.length === 0) return null
  const [unknown] = found.unknownUnits
  if (unknown !== undefined && missing.every(name => !isAddressKey(headerKey(name)))) {
    const kind = /weight/i.test(unknown) ? 'weight' : 'length'
    return texts.unknownUnit(file, shortenText(unknown), knownUnitsText(kind))
  }
  return known >= TEMPLATE_LIKE ? t.missingColumns(file, missing) : null
}

function readTemplate(
  sheet: Sheet,
  context: SourceContext,
  mapping: ColumnMapping | undefined,
): SourceRows {
  const found = templateColumns(sheet.header, sheet.keys)
  const service = serviceColumn(sheet, context)
  const columns = mapping
    ? withServices(matchedColumns(sheet, mapping), service)
    : service
      ? [...found.columns, service]
      : found.columns
  const { drafts, notices } = readFieldRows(sheet, columns, mapping?.constants ?? {}, context)
  const unlessMatched = (at: number) => (columns.some(column => column.at === at) ? -1 : at)
  const itemsAt = unlessMatched(itemsColumn(sheet))
  readItems(drafts, sheet, itemsAt)
  const emailAt = unlessMatched(emailColumn(sheet))
  readEmails(drafts, sheet, emailAt)
  const alsoRead = [itemsAt, emailAt].filter(at => at >= 0).map(at => ({ at }))
  const read = new Set(alsoRead.map(({ at }) => sheet.header[at]))
  const unused = mapping ? [] : found.unused.filter(name => !read.has(name))
  const ignored =
    unused.length === 0
      ? []
      : [
          t.ignoredColumns(
            unused
              .slice(0, 10)
              .map(name => shortenText(name, 100))
              .join(', ') + (unused.length > 10 ? ', …' : ''),
          ),
        ]
  return {
    drafts,
    notices: [...ignored, ...notices],
    leftOut: [],
    columns: columnUses(sheet.header, columns),
    alsoRead,
  }
}

/** A later file may name services that the matched one did not. */
const withServices = (columns: readonly FieldColumn[], known: FieldColumn | null): FieldColumn[] =>
  columns.map(column =>
    column.use === 'ServiceName' && column.at === known?.at
      ? { ...column, values: { ...known.values, ...column.values } }
      : column,
  )

function matchTemplate(header: readonly string[], { senderAddress }: SourceContext): number {
  const keys = header.map(headerKey)
  if (!keys.some(isAddressKey)) return 0
  const found = templateColumns(header, keys)
  return missingHeaders(found, senderAddress !== undefined).length > 0 ? 0 : found.columns.length
}

export const template: Source = { id: 'template', match: matchTemplate, read: readTemplate }

export function isSkuFile(header: readonly string[]): boolean {
  const keys = header.map(headerKey)
  return keys.includes('sku') && keys.includes('maxqty')
}
