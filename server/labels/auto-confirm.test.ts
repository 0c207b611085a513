import { expect, test } from 'vitest'
import type { SourceId } from '#contract/sources.ts'
import { planConfirmation } from './auto-confirm.ts'
import type { ConfirmRow } from './auto-confirm.ts'
import { confirmHeader, confirmLines } from './confirm-text.ts'

const ORDER = '111-0000001-0000001'
const at = new Date('2026-11-20T15:00:00Z')
const HEADER =
  'order-id\torder-item-id\tquantity\tship-date\tcarrier-code\tcarrier-name\ttracking-number\tship-method'

function bought(row: number, changes: Partial<ConfirmRow> = {}): ConfirmRow {
  return {
    row,
    orderId: ORDER,
    orderItemId: `000000000000${10 + row}`,
    quantity: row,
    serviceName: 'USPS Ground Advantage',
    bought: { trackingNumber: `980000000000000000010${row}`, at },
    ...changes,
  }
}
const failed = (row: number, changes: Partial<ConfirmRow> = {}): ConfirmRow =>
  bought(row, { ...changes, bought: null })
function buildAutoConfirm(
  rows: ConfirmRow[],
  ending: 'txt' | 'csv' = 'txt',
  source: SourceId | null = null,
) {
  const plan = planConfirmation(rows, source)
  if (!plan || plan.format === 'walmart') return null
  const style = { format: plan.format, separator: ending === 'txt' ? '\t' : ',' } as const
  const lines = rows.map(one => confirmLines(one, plan, style)).join('')
  return { text: confirmHeader(style) + lines, omittedRows: plan.omittedRows }
}
const linesOf = (rows: ConfirmRow[]) => buildAutoConfirm(rows)?.text.split('\r\n').slice(1, -1)

test("each bought item is one line with its package, in the marketplace's columns", () => {
  expect(buildAutoConfirm([bought(1), bought(2)])).toEqual({
    text:
      `${HEADER}\r\n`
      + `${ORDER}\t00000000000011\t1\t2026-11-20\tUSPS\t\t9800000000000000000101\tUSPS Ground Advantage\r\n`
      + `${ORDER}\t00000000000012\t2\t2026-11-20\tUSPS\t\t9800000000000000000102\tUSPS Ground Advantage\r\n`,
    omittedRows: [],
  })
})

test('on request the same stands between commas, quoted where it must be', () => {
  const { text } = buildAutoConfirm([bought(1, { serviceName: 'Ground, "slow"' })], 'csv')!
  expect(text).toBe(
    `${HEADER.replaceAll('\t', ',')}\r\n`
      + `${ORDER},00000000000011,1,2026-11-20,USPS,,9800000000000000000101,"Ground, ""slow"""\r\n`,
  )
})

test('failed labels are not confirmed', () => {
  expect(linesOf([bought(1), failed(2)])).toHaveLength(1)
})

test("the day is the seller's: late in the evening of New York it is tomorrow in UTC", () => {
  const day = (moment: string) =>
    linesOf([bought(1, { bought: { trackingNumber: '98', at: new Date(moment) } })])![0]!.split(
      '\t',
    )[3]
  expect(day('2026-11-21T04:59:59Z')).toBe('2026-11-20')
  expect(day('2026-11-21T05:00:00Z')).toBe('2026-11-21')
  expect(day('2026-07-05T03:59:59Z')).toBe('2026-07-04')
})

test('without item ids an order is confirmed as a whole, and only when all of it is bought', () => {
  const blank = { orderItemId: null }
  expect(linesOf([bought(1, blank), bought(2, blank)])!.map(line => line.split('\t')[1])).toEqual([
    '',
    '',
  ])
  const half = [bought(1, blank), failed(2, blank), bought(3, { orderId: '222-0000002-0000002' })]
  expect(buildAutoConfirm(half)).toMatchObject({ omittedRows: [1] })
  expect(linesOf(half)!.map(line => line.split('\t')[0])).toEqual(['222-0000002-0000002'])
})

const NO_IDS = ['item-0', 'item-17', 'row-3', 'ITEM-1', '', ' ', '=1+1', '12\t34']

test.each(NO_IDS)('%j is no id that a marketplace gave, so it never reaches the file', id => {
  expect(linesOf([bought(1, { orderItemId: id })])![0]!.split('\t')[1]).toBe('')
  expect(buildAutoConfirm([bought(1, { orderId: id })])).toBeNull()
})

test('a batch without order ids, or without a bought label, has no such file', () => {
  expect(buildAutoConfirm([])).toBeNull()
  expect(buildAutoConfirm([bought(1, { orderId: null })])).toBeNull()
  expect(buildAutoConfirm([failed(1)])).toBeNull()
})

test('nothing in a cell can pass for another column or line', () => {
  const [line, ...more] = linesOf([
    bought(1, { serviceName: 'Ground\tAdvantage\r\nexpress', quantity: null }),
  ])!
  expect(more).toEqual([])
  const cells = [
    ORDER,
    '00000000000011',
    '1',
    '2026-11-20',
    'USPS',
    '',
    '9800000000000000000101',
    'Ground Advantage express',
  ]
  expect(line!.split('\t')).toEqual(cells)
})
