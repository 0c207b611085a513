import { expect, test } from 'vitest'
import {
  FAULTY_ROW_HEADERS,
  faultyRowLine,
  faultyRowsHead,
  faultyRowSheetCells,
} from '#contract/faulty-rows.ts'
import { hasNoErrors, rowErrors } from '#contract/row-rules.ts'
import { emptyRow, FIELDS } from '#contract/rows.ts'
import type { RowItem, SubmittedRow } from '#contract/rows.ts'
import { row } from '#tests/support/rows.ts'
import { importFile, importSheet } from './import-file.ts'

const SERVICES = [
  { name: 'USPS Ground Advantage', uid: 'usps_ground_advantage' },
  { name: 'USPS Priority Mail', uid: 'usps_priority' },
]
const OPTIONS = { skus: [], maxRows: 100, services: SERVICES }

function uploaded(rows: SubmittedRow[], reason = 'Address not deliverable') {
  const text = faultyRowsHead() + rows.map(one => faultyRowLine(one, reason)).join('')
  const answer = importFile(new TextEncoder().encode(text), 'failed-rows-7.csv', OPTIONS)
  if (!('rows' in answer)) throw new Error(JSON.stringify(answer))
  return answer
}
const fieldsOf = (given: SubmittedRow) =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, given[name]]))
const ODD = row(1, {
  ToRecipientName: '=HYPERLINK("http://x")',
  ToCompany: '\'@SUM(A1), "Inc."',
  ToStreet2: "'s-Gravenhage; Unit 4",
  ToPhone: '+1 404-555-0192',
  FromCompany: '\uff1dMason',
  orderId: '0017',
  orderItemId: '577384719283746001',
  skuNumber: '-MUG',
  quantity: '3',
  PackageReference1: '3',
  PackageReference2: '-MUG',
  PackageDescription: 'Two mugs, "one" lid',
})

test('the file of failed rows uploads clean and unchanged, without its reasons', () => {
  const failed = [ODD, row(2, { orderItemId: 'item-1', PackageReference1: '1' })]
  const { source, rows, notices } = uploaded(failed, '=cmd, "not" deliverable\r\nat all')
  expect(source).toBe('template')
  expect(notices).toEqual([])
  expect(rows.map(fieldsOf)).toEqual(failed.map(fieldsOf))
  for (const read of rows) {
    expect(read.notices).toEqual([])
    expect(read.items).toBeUndefined()
    expect(hasNoErrors(rowErrors(read, { needService: false }))).toBe(true)
  }
})

test('each failed row keeps its service when its file is uploaded again', () => {
  const names = ['USPS Priority Mail', 'usps_priority', 'usps ground advantage', '', 'FedEx 2Day']
  const failed = names.map((ServiceName, n) => row(n + 1, { ServiceName }))
  const { rows, columns, notices } = uploaded(failed)
  expect(notices).toEqual([])
  const read = Object.fromEntries(rows.map(one => [one.ToRecipientName, one]))
  expect(names.map((_, n) => read[`Receiver ${n + 1}`]?.ServiceName)).toEqual([
    'USPS Priority Mail',
    'USPS Priority Mail',
    'USPS Ground Advantage',
    '',
    '',
  ])
  expect(rows.flatMap(one => one.notices)).toEqual([
    "Service 'FedEx 2Day' has no match; the service chosen on the page applies.",
  ])
  expect(columns.at(-1)).toMatchObject({ header: 'SERVICE', use: 'ServiceName' })

  const sheet = [
    [...FAULTY_ROW_HEADERS],
    ...failed.map(one => faultyRowSheetCells(one, 'why', 32_767)),
  ]
  const workbook = importSheet(sheet, { fileName: 'failed-rows-7.xlsx' }, OPTIONS)
  if (!('rows' in workbook)) throw new Error(JSON.stringify(workbook))
  expect(workbook.rows.map(one => one.ServiceName)).toEqual(rows.map(one => one.ServiceName))
})

test('where no page chooses a service, a row keeps the name that no service has', () => {
  const names = ['usps_priority', 'FedEx 2Day', '__proto__']
  const text =
    faultyRowsHead()
    + names.map((ServiceName, n) => faultyRowLine(row(n + 1, { ServiceName }), 'why')).join('')
  const context = { ...OPTIONS, keepsUnknownServices: true }
  const answer = importFile(new TextEncoder().encode(text), 'failed-rows-7.csv', context)
  if (!('rows' in answer)) throw new Error(JSON.stringify(answer))
  const services = answer.rows.map(one => one.ServiceName)
  expect(services).toEqual(['USPS Priority Mail', 'FedEx 2Day', '__proto__'])
  expect(answer.rows.flatMap(one => one.notices)).toEqual([])
})

test('the workbook of failed rows uploads clean and unchanged too', () => {
  const items = [{ orderItemId: '11', sku: 'TEE', quantity: '2' }]
  const failed = [{ ...ODD, items }, row(2, { ToCompany: '="04101"', PackageReference1: '1' })]
  const cells = failed.map(one => faultyRowSheetCells(one, 'why', 32_767))
  expect(cells[0]).toContain('=HYPERLINK("http://x")')
  const meta = { fileName: 'failed-rows-7.xlsx' }
  const answer = importSheet([[...FAULTY_ROW_HEADERS], ...cells], meta, OPTIONS)
  if (!('rows' in answer)) throw new Error(JSON.stringify(answer))
  const byName = (one: SubmittedRow) => one.ToRecipientName
  const read = answer.rows.toSorted((a, b) => byName(a).localeCompare(byName(b)))
  expect(read.map(one => [one.ToCompany, one.items])).toEqual(
    failed.map(one => [one.ToCompany, 'items' in one ? one.items : undefined]),
  )
  expect(read.map(one => one.notices)).toEqual([[], []])
})

test('items too long for a cell are in the CSV file only, and the reason says so', () => {
  const items = [{ orderItemId: 'x'.repeat(50), sku: '', quantity: '1' }]
  const cells = faultyRowSheetCells({ ...ODD, items }, 'Address not deliverable.', 40)
  expect(cells.slice(-3)).toEqual([
    '',
    'Address not deliverable. Its order items are too long for a cell: the CSV file has them.',
    'USPS Ground Advantage',
  ])
})

test('a combined row that failed has its items again', () => {
  const items: RowItem[] = [
    { orderItemId: '11', sku: 'TEE', quantity: '2' },
    { orderItemId: '12', sku: 'MUG, red', quantity: '1', orderId: '#1002', extra: { 'PO#': '7' } },
  ]
  const { rows, notices } = uploaded([{ ...ODD, items }, row(2)])
  expect(notices).toEqual([])
  expect(rows.map(read => read.items)).toEqual([items, undefined])
})

test('items that are no items are a notice, and another column of that name is left out by name', () => {
  const [head] = faultyRowsHead().split('\r\n')
  const file = (cell: string) => {
    const cells = faultyRowLine({ ...emptyRow(), ...ODD }, 'why').replace(/,,why,/, `,${cell},why,`)
    const answer = importFile(new TextEncoder().encode(`${head}\r\n${cells}`), 'a.csv', OPTIONS)
    if (!('rows' in answer)) throw new Error(JSON.stringify(answer))
    return answer
  }
  const broken = file('"[{""orderItemId"""')
  expect(broken.rows[0]?.items).toBeUndefined()
  expect(broken.rows[0]?.notices).toEqual([
    'The order items of this row could not be read, so it counts as one item.',
  ])
  expect(file('3').notices.join()).toContain('ITEMS')
})
