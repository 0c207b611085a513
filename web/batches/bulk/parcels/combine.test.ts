import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsProblem } from '#contract/row-items.ts'
import { rowErrors } from '#contract/row-rules.ts'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { withMeasures } from '#web/batches/bulk/checks/fault-remedies.ts'
import { EMPTY_BULK_DRAFT, replacedOrders } from '#web/batches/bulk/drafts/draft.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import {
  combineRows,
  groupingSteps,
  hasSummedWeight,
  optionsOf,
  takeAllApart,
  takeAllSteps,
  takeApart,
} from './combine.ts'
import { itemsOf } from './row-items.ts'
import { copyMeasures, skuFromRow } from './sku-fill.ts'

const TEE: SkuMeasures = {
  sku: 'TEE',
  maxQty: 4,
  weight: 0.5,
  length: 9,
  width: 7,
  height: 1,
  description: 'T-shirt',
}
const SKUS = new Map([[TEE.sku, TEE]])
const NO_SKUS = new Map<string, SkuMeasures>()

function line(index: number, cells: Partial<BulkRow> = {}): GridRow {
  const row = {
    ...emptyRow(),
    FromSenderName: 'Warehouse',
    FromStreet1: '1 Dock Rd',
    FromCity: 'Portland',
    FromStateProvince: 'OR',
    FromZipPostal: '97201',
    ToRecipientName: 'Ada Lee',
    ToStreet1: '12 Main St',
    ToCity: 'Portland',
    ToStateProvince: 'ME',
    ToZipPostal: '04101',
    PackageLength: '6',
    PackageWidth: '4',
    PackageHeight: '2',
    PackageWeight: '1.1',
    ServiceName: 'USPS Ground Advantage',
    orderId: '#1001',
    orderItemId: `1001-${index + 1}`,
    ...cells,
  }
  return {
    ...row,
    PackageReference1: row.quantity,
    PackageReference2: row.skuNumber,
    id: `row-${index}`,
    line: index + 1,
    notices: [],
  }
}

test('the lines of one order become one label that keeps its items', () => {
  const rows = [
    line(0, { skuNumber: 'TEE', quantity: '2', PackageWeight: '0.5' }),
    line(1, { orderId: '1002', skuNumber: 'MUG' }),
    line(2, { orderId: '1001', skuNumber: 'MUG', PackageWeight: '1.2', PackageHeight: '5' }),
  ]
  const [combined, other, ...more] = combineRows(rows, 'order', SKUS)
  expect(more).toEqual([])
  expect(other).toBe(rows[1])
  expect(combined).toMatchObject({
    id: 'row-0',
    orderId: '#1001',
    quantity: '3',
    skuNumber: '',
    PackageDescription: '2x TEE, 1x MUG',
    PackageWeight: '1.7',
    PackageHeight: '5',
    PackageReference1: '3',
    PackageReference2: '',
    items: [
      { orderItemId: '1001-1', sku: 'TEE', quantity: '2' },
      { orderItemId: '1001-3', sku: 'MUG', quantity: '1', orderId: '1001' },
    ],
  })
  expect(combined!.parts).toEqual([rows[0], rows[2]])
})

test('lines of one SKU keep it, and its record’s weight counts once for each package they fill', () => {
  const rows = [
    line(0, { skuNumber: 'TEE', quantity: '5', PackageWeight: '0.5' }),
    line(1, { skuNumber: 'TEE', quantity: '1', PackageWeight: '' }),
    line(2, { skuNumber: 'TEE', quantity: '2', PackageWeight: '0.9' }),
  ]
  const [combined] = combineRows(rows, 'order', SKUS)
  // Two packages of 0.5 lb, one of 0.5 lb, and a line with a weight of its own.
  expect(combined).toMatchObject({ skuNumber: 'TEE', quantity: '8', PackageWeight: '2.4' })
  expect(hasSummedWeight(combined!, SKUS)).toBe(true)
  expect(hasSummedWeight({ ...combined!, PackageWeight: '2' }, SKUS)).toBe(false)
})

test('a combined label without a weight or above the service’s limit is an error of its row', () => {
  const unknown = combineRows([line(0, { PackageWeight: '' }), line(1)], 'order', NO_SKUS)[0]!
  expect(rowErrors(unknown)).toEqual({ PackageWeight: 'Weight is required' })
  const heavy = combineRows(
    [line(0, { PackageWeight: '40' }), line(1, { PackageWeight: '40' })],
    'order',
    NO_SKUS,
  )[0]!
  expect(rowErrors(heavy, { maxWeight: 70 })).toEqual({
    PackageWeight: 'Weight must be at most 70 lb',
  })
})

test('a quantity that is not a number stays an error after combining', () => {
  const [combined] = combineRows([line(0), line(1, { quantity: 'two' })], 'order', NO_SKUS)
  expect(rowErrors(combined!)).toHaveProperty('quantity')
})

test('orders of one receiver share a label by address, and each item names its order', () => {
  const rows = [
    line(0, { orderId: '1' }),
    line(1, {
      orderId: '2',
      ToRecipientName: 'ADA LEE',
      ToZipPostal: '04101-1234',
      ToStreet1: '12 main st.',
    }),
    line(2, { orderId: '3', ToRecipientName: 'Bo Lee' }),
  ]
  expect(combineRows(rows, 'order', NO_SKUS)).toEqual(rows)
  const byAddress = combineRows(rows, 'address', NO_SKUS)
  expect(byAddress).toHaveLength(2)
  expect(byAddress[0]!.items).toEqual([
    { orderItemId: '1001-1', sku: '', quantity: '1' },
    { orderItemId: '1001-2', sku: '', quantity: '1', orderId: '2' },
  ])
})

test('one order to two addresses, from two senders, by two services or in two files stays apart', () => {
  const others: Partial<GridRow>[] = [
    { ToStreet1: '14 Main St' },
    { FromZipPostal: '97202' },
    { ServiceName: 'USPS Priority Mail' },
    { file: 1 },
    { orderId: '' },
    { ToStreet1: '' },
  ]
  for (const cells of others) {
    const rows = [line(0), { ...line(1), ...cells }]
    expect(combineRows(rows, 'order', NO_SKUS)).toEqual(rows)
  }
})

test('by address, a line without order id does not join an order', () => {
  const rows = [line(0), line(1, { orderId: '' }), line(2, { orderId: '' })]
  expect(combineRows(rows, 'address', NO_SKUS).map(row => row.parts?.length)).toEqual([
    undefined,
    2,
  ])
})

test('lines beyond what one row can carry begin another label', () => {
  const rows = Array.from({ length: 9 }, (_, index): GridRow => ({
    ...line(index),
    items: [
      { orderItemId: `${index}`, sku: '', quantity: '1', extra: { FLIDS: 'x'.repeat(1000) } },
    ],
  }))
  const combined = combineRows(rows, 'order', NO_SKUS)
  expect(combined.map(row => row.items?.length)).toEqual([4, 4, 1])
  expect(combined.map(({ items }) => itemsProblem(items))).toEqual([null, null, null])
  expect(combined[0]!.notices).toEqual([
    'These 9 lines are too many for one label and make 3 labels.',
  ])
  expect(takeAllApart(combined)).toEqual(rows)
})

test('a file of 5,892 lines is 5,000 labels, each cent of which is counted', () => {
  const rows = Array.from({ length: 5892 }, (_, index) =>
    line(index, {
      orderId: String(index % 5000),
      ToStreet1: `${index % 5000} Main St`,
      PackageWeight: '0.7',
    }),
  )
  const priceOf = (row: GridRow) => ({
    cents: Number(row.PackageWeight) > 1 ? 725 : 650,
    pending: false,
  })
  const options = optionsOf(takeAllSteps(groupingSteps(rows, NO_SKUS)), priceOf)
  expect(options).toEqual([
    { by: 'line', labels: 5892, cents: 5892 * 650, unpriced: 0 },
    { by: 'order', labels: 5000, cents: 4108 * 650 + 892 * 725, unpriced: 0 },
    { by: 'address', labels: 5000, cents: 4108 * 650 + 892 * 725, unpriced: 0 },
  ])
  const combined = combineRows(rows, 'order', NO_SKUS)
  expect(combined.flatMap(itemsOf)).toHaveLength(5892)
  expect(takeAllApart(combined)).toEqual(rows)
})

test('a row that cannot be priced hides no other price of what one label is made for', () => {
  const rows = [line(0), line(1, { PackageWeight: '88' }), line(2)]
  const heavy = ({ PackageWeight }: GridRow) => PackageWeight === '88'
  const byLine = (priceOf: Parameters<typeof optionsOf>[1]) =>
    optionsOf(takeAllSteps(groupingSteps(rows, NO_SKUS)), priceOf)[0]
  expect(byLine(row => ({ cents: heavy(row) ? null : 650, pending: false }))).toEqual({
    by: 'line',
    labels: 3,
    cents: 1300,
    unpriced: 1,
  })
  expect(byLine(row => ({ cents: heavy(row) ? null : 650, pending: heavy(row) }))?.cents).toBeNull()
  expect(byLine(() => ({ cents: null, pending: false }))?.cents).toBeNull()
})

const anyLines = fc
  .array(
    fc.record({
      orderId: fc.constantFrom('', '1', '#1', '2', 'A', 'a'),
      ToRecipientName: fc.constantFrom('Ada', 'ada', 'Bo', ''),
      ToStreet1: fc.constantFrom('1 A St', '1 a st.', '2 B St', ''),
      skuNumber: fc.constantFrom('', 'TEE', 'MUG'),
      quantity: fc.constantFrom('', '1', '7', 'x'),
      PackageWeight: fc.constantFrom('', '0.5', '2', 'heavy'),
      PackageDescription: fc.constantFrom('', 'Shirt'),
    }),
    { maxLength: 12 },
  )
  .map(cells => cells.map((cell, index) => line(index, cell)))

test('rows are taken apart again exactly, after any change of the choice', () => {
  fc.assert(
    fc.property(
      anyLines,
      fc.array(fc.constantFrom('line', 'order', 'address' as const), { maxLength: 4 }),
      (rows, choices) => {
        const grouped = choices.reduce((now, by) => combineRows(now, by, SKUS), rows)
        const apart = combineRows(grouped, 'line', SKUS)
        expect(apart).toHaveLength(rows.length)
        apart.forEach((row, index) => expect(row).toBe(rows[index]))
        const last = choices.at(-1) ?? 'line'
        expect(grouped).toEqual(combineRows(rows, last, SKUS))
      },
    ),
  )
})

test('one row is taken apart in its place', () => {
  const rows = [line(0), line(1, { orderId: '2' }), line(2)]
  const combined = combineRows(rows, 'order', NO_SKUS)
  expect(takeApart(combined, 'row-0').map(({ id }) => id)).toEqual(['row-0', 'row-2', 'row-1'])
  expect(takeApart(combined, 'row-1')).toEqual(combined)
})

test('a corrected address of a combined row is in its lines when it is taken apart', () => {
  const rows = [line(0), line(1)]
  const [combined] = combineRows(rows, 'order', NO_SKUS)
  const edited = { ...combined!, ToZipPostal: '04102', PackageWeight: '9', quantity: '7' }
  expect(takeAllApart([edited])).toEqual(rows.map(row => ({ ...row, ToZipPostal: '04102' })))
})

test('a combined row with edits is kept when rows are added to the table', () => {
  const [combined] = combineRows([line(0), line(1)], 'order', NO_SKUS)
  const edited = { ...combined!, PackageWeight: '9' }
  const added = line(2, { orderId: '5' })
  expect(combineRows([edited, added], 'order', NO_SKUS)).toEqual([edited, added])
  const late = line(3)
  expect(combineRows([edited, late], 'order', NO_SKUS)[0]).toMatchObject({ PackageWeight: '3.3' })
})

test('measures typed once for a SKU reach the lines of combined rows, whose sums follow', () => {
  const mug = { skuNumber: 'MUG', PackageWeight: '', PackageLength: '' }
  const [combined] = combineRows([line(0, mug), line(1, { skuNumber: 'TEE' })], 'order', SKUS)
  expect(combined!.PackageWeight).toBe('')
  const edited = line(7, {
    orderId: '9',
    skuNumber: 'MUG',
    PackageWeight: '2',
    PackageLength: '12',
    PackageHeight: '8',
  })
  const [filled, same] = copyMeasures([combined!, edited], edited, SKUS)
  expect(same).toBe(edited)
  expect(filled).toMatchObject({ PackageWeight: '3.1', PackageLength: '12', PackageHeight: '8' })
  expect(filled!.parts!.map(({ PackageWeight }) => PackageWeight)).toEqual(['2', '1.1'])
  // A weight that was typed for the box stays.
  const typed = { ...combined!, PackageWeight: '5' }
  expect(copyMeasures([typed], edited, SKUS)[0]).toMatchObject({
    PackageWeight: '5',
    PackageLength: '12',
  })
})

test('the weight of a combined row is not the usual weight of its SKU', () => {
  const tee = { skuNumber: 'TEE', PackageWeight: '0.5' }
  const single = line(5, { ...tee, orderId: '9' })
  const [combined] = combineRows([line(0, tee), line(1, tee)], 'order', SKUS)
  const edited = { ...combined!, PackageWeight: '4' }
  expect(copyMeasures([edited, single], edited, SKUS)).toEqual([edited, single])
  expect(skuFromRow(edited, TEE)).toBeNull()
  expect(copyMeasures([combined!], { ...single, PackageWeight: '1' }, SKUS)[0]).toMatchObject({
    PackageWeight: '2',
  })
})

test('measures entered once for faulty rows are summed in combined rows', () => {
  const mug = { skuNumber: 'MUG', PackageWeight: '', PackageLength: '' }
  const rows = combineRows([line(0, mug), line(1, mug)], 'order', NO_SKUS)
  const { draft, measuredRow } = withMeasures(
    { ...EMPTY_BULK_DRAFT, rows },
    { sku: 'MUG', key: 'sku:MUG' },
    { PackageWeight: '2', PackageLength: '12' },
    rowErrors,
  )
  expect(draft.rows[0]).toMatchObject({ PackageWeight: '4', PackageLength: '12' })
  // The record of the SKU is a single line, not the combined row.
  expect(measuredRow).toMatchObject({ id: 'row-0', PackageWeight: '2' })
  expect(measuredRow).not.toHaveProperty('parts')
})

test('a combined row of failed labels replaces each of their orders', () => {
  const rows = combineRows([line(0), line(1), line(2, { orderId: '9' })], 'order', NO_SKUS)
  const replaces = { 'row-0': '71', 'row-1': '72', 'row-2': '73' }
  const draft = { ...EMPTY_BULK_DRAFT, rows, replaces }
  expect(replacedOrders(draft, rows)).toEqual(['71', '72', '73'])
})
