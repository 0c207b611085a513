/** A bulk .csv: which column is which field, and rows out of its records. */
import { headerKey, plainCell } from './cells.ts'
import type { Sheet } from './cells.ts'
import { noteMangled, senderCells } from './draft.ts'
import type { Draft, SenderAddress } from './draft.ts'
import { emptyRow, FIELDS, MEASURES } from './rows.ts'
import type { Field, RowField } from './rows.ts'

/** Other names of the parts of an address, behind FROM or TO. */
const SIDE_NAMES: Record<string, string[]> = {
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

/** Other names of the columns that belong to neither side. */
const OTHER_NAMES: Partial<Record<RowField, string[]>> = {
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

const namesOf = (field: Field): string[] => {
  const [, side = '', part = ''] = /^(FROM|TO) (.*)$/.exec(field.header) ?? []
  const others = side
    ? (SIDE_NAMES[part] ?? []).map(name => side.toLowerCase() + name)
    : (OTHER_NAMES[field.name] ?? [])
  return [headerKey(field.header), headerKey(field.name), ...others]
}

/** The service is chosen on the page, for it decides the price; a courier column has nothing to say. */
const READ = FIELDS.filter(field => field.name !== 'ServiceName' && field.name !== 'courier')
const FIELD_OF = new Map<string, Field>(
  READ.flatMap(field => namesOf(field).map(name => [name, field] as const)),
)
/** Columns that our own files carry beside the template's; nobody needs to hear that they are not read. */
const OURS = new Set([
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

/** Whether a header line is one of ours rather than a marketplace's: it has columns of a sender or a receiver. */
export const looksLikeTemplate = (keys: string[]): boolean =>
  keys.some(key => ['From', 'To'].includes(FIELD_OF.get(key)?.group ?? ''))

type Column = { at: number; name: RowField }

/** Rows in the order of the file, or why there are none. Missing From columns are filled from the saved address. */
export function rowsOfCsv(
  sheet: Sheet,
  sender: SenderAddress | undefined,
): { drafts: Draft[]; notices: string[] } | { problem: string } {
  const keys = sheet.header.map(headerKey)
  const columns: Column[] = []
  const unused: string[] = []
  keys.forEach((key, at) => {
    const field = FIELD_OF.get(key)
    if (field && !columns.some(column => column.name === field.name))
      columns.push({ at, name: field.name })
    else if (field || !OURS.has(key)) unused.push(sheet.header[at] ?? '')
  })
  const has = (name: RowField) => columns.some(column => column.name === name)
  const fillsFrom =
    sender !== undefined && !READ.some(field => field.group === 'From' && has(field.name))
  const missing = READ.filter(field => field.required && !has(field.name))
    .filter(field => !(fillsFrom && field.group === 'From'))
    .filter(field => !(has('skuNumber') && MEASURES.some(measure => measure === field.name)))
  if (missing.length > 0) return { problem: missingText(missing.map(field => field.header)) }

  const notices = [...sheet.notices]
  if (unused.length > 0)
    notices.push(
      `Columns that are not used: ${unused.slice(0, 10).join(', ')}${unused.length > 10 ? ', …' : ''}.`,
    )
  if (fillsFrom) notices.push('The file has no sender, so your saved address is used.')
  const tracking = keys.indexOf('trackingnumber')
  const around = {
    width: keys.length,
    tracking,
    counts: has('quantity'),
    sender: fillsFrom ? sender : undefined,
  }
  const drafts = sheet.records.map((record, index) => draftOf(record, index, columns, around))
  return { drafts, notices }
}

function missingText(headers: readonly string[]): string {
  const many = headers.length > 1
  return `This file has no ${many ? 'columns' : 'column'} ${headers.join(', ')}. Download the Bulk Template CSV to see all columns.`
}

type Around = {
  width: number
  tracking: number
  counts: boolean
  sender: SenderAddress | undefined
}

function draftOf(record: string[], index: number, columns: Column[], around: Around): Draft {
  const draft: Draft = { ...emptyRow(), line: index + 1, notices: [] }
  if (around.sender) Object.assign(draft, senderCells(around.sender))
  for (const { at, name } of columns) {
    const cell = plainCell(record[at] ?? '')
    if (cell !== '') draft[name] = cell
  }
  draft.orderItemId ||= `item-${index}`
  if (around.counts) draft.PackageReference1 ||= draft.quantity
  draft.PackageReference2 ||= draft.skuNumber
  noteMangled(draft, index)
  if (record.length > around.width && record.slice(around.width).some(cell => cell.trim() !== '')) {
    draft.notices.push(
      'This row has more cells than the header. A value with a comma needs quotation marks around it.',
    )
  }
  const tracking = around.tracking < 0 ? '' : (record[around.tracking] ?? '').trim()
  if (tracking !== '') draft.notices.push(`This row already has a label: ${tracking}.`)
  return draft
}
