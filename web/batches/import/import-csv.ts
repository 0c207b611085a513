import { readCsvCell } from '#contract/csv.ts'
import { emptyRow, FIELDS, MEASURES } from '#contract/rows.ts'
import type { Field, RowField } from '#contract/rows.ts'
import { shortenText } from '#contract/text.ts'
/** Reads a bulk .csv: which column is which field, and the rows. */
import { headerKey } from '#web/client/delimited-text.ts'
import type { CellTable } from '#web/client/delimited-text.ts'
import { repairMangledNumbers, senderFields } from './row-draft.ts'
import type { RowDraft, SenderAddress } from './row-draft.ts'
import { texts } from './texts.ts'

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
  PackageLength: ['lengthin', 'lengthinches'],
  PackageWidth: ['widthin', 'widthinches'],
  PackageHeight: ['heightin', 'heightinches'],
  PackageWeight: ['weightlb', 'weightlbs', 'weightpounds'],
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

/**
 * Service and courier are not read: the service is chosen on the page, because it decides the
 * price.
 */
const IMPORTED_FIELDS = FIELDS.filter(
  field => field.name !== 'ServiceName' && field.name !== 'courier',
)
const FIELD_BY_HEADER = new Map<string, Field>(
  IMPORTED_FIELDS.flatMap(field => headerKeysFor(field).map(name => [name, field] as const)),
)
/** Columns that our result files add to the template. They are ignored without a notice. */
const IGNORED_HEADERS = new Set([
  'row',
  'status',
  'trackingnumber',
  'price',
  'reason',
  'service',
  'servicename',
  'courier',
  '',
])

/** Whether the header line is of our template, not of a marketplace: it has FROM or TO columns. */
export const looksLikeTemplate = (keys: string[]): boolean =>
  keys.some(key => ['From', 'To'].includes(FIELD_BY_HEADER.get(key)?.group ?? ''))

type CsvColumn = { at: number; name: RowField }

/**
 * Rows in file order, or why there are none. Missing FROM columns are filled from the saved
 * address.
 */
export function draftsFromCsv(
  sheet: CellTable,
  sender: SenderAddress | undefined,
): { drafts: RowDraft[]; notices: string[] } | { problem: string } {
  const keys = sheet.header.map(headerKey)
  const columns: CsvColumn[] = []
  const unused: string[] = []
  keys.forEach((key, at) => {
    const field = FIELD_BY_HEADER.get(key)
    if (field && !columns.some(column => column.name === field.name))
      columns.push({ at, name: field.name })
    else if (field || !IGNORED_HEADERS.has(key)) unused.push(sheet.header[at] ?? '')
  })
  const has = (name: RowField) => columns.some(column => column.name === name)
  const fillsFrom =
    sender !== undefined
    && !IMPORTED_FIELDS.some(field => field.group === 'From' && has(field.name))
  const missing = IMPORTED_FIELDS.filter(field => field.required && !has(field.name))
    .filter(field => !(fillsFrom && field.group === 'From'))
    .filter(field => !(has('skuNumber') && MEASURES.some(measure => measure === field.name)))
  if (missing.length > 0) return { problem: t.missingColumns(missing.map(field => field.header)) }

  const notices = [...sheet.notices]
  if (unused.length > 0)
    notices.push(
      t.ignoredColumns(
        unused
          .slice(0, 10)
          .map(name => shortenText(name, 100))
          .join(', ') + (unused.length > 10 ? ', …' : ''),
      ),
    )
  if (fillsFrom) notices.push(t.senderFilled)
  const trackingColumn = keys.indexOf('trackingnumber')
  const context = {
    width: keys.length,
    trackingColumn,
    hasQuantity: has('quantity'),
    sender: fillsFrom ? sender : undefined,
  }
  const drafts = sheet.records.map((record, index) =>
    draftFromRecord(record, index, columns, context),
  )
  return { drafts, notices }
}

type CsvContext = {
  width: number
  trackingColumn: number
  hasQuantity: boolean
  sender: SenderAddress | undefined
}

function draftFromRecord(
  record: string[],
  index: number,
  columns: CsvColumn[],
  context: CsvContext,
): RowDraft {
  const draft: RowDraft = { ...emptyRow(), line: index + 1, notices: [] }
  if (context.sender) Object.assign(draft, senderFields(context.sender))
  for (const { at, name } of columns) {
    const cell = readCsvCell(record[at] ?? '')
    if (cell !== '') draft[name] = cell
  }
  draft.orderItemId ||= `item-${index}`
  if (context.hasQuantity) draft.PackageReference1 ||= draft.quantity
  draft.PackageReference2 ||= draft.skuNumber
  repairMangledNumbers(draft, index)
  if (
    record.length > context.width
    && record.slice(context.width).some(cell => cell.trim() !== '')
  ) {
    draft.notices.push(t.extraCells)
  }
  const tracking = context.trackingColumn < 0 ? '' : (record[context.trackingColumn] ?? '').trim()
  if (tracking !== '') draft.notices.push(t.hasLabel(shortenText(tracking)))
  return draft
}
