import { expect, test } from 'vitest'
import { emptyRow, TEMPLATE_CSV } from '#contract/rows.ts'
import { draftOfFiles } from '#web/batches/bulk/files/table-files.ts'
import { withCells, withoutRows } from '#web/batches/bulk/grid/row-operations.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import { enterSku, filledBefore, indexBySku } from '#web/skus/fill.ts'
import {
  draftFromFailedRows,
  EMPTY_BULK_DRAFT,
  replacedOrders,
  toSubmittedRow,
  withoutAccepted,
  withEdit,
  withPaste,
  withService,
} from './draft.ts'
import type { BulkDraft } from './draft.ts'

const row = (index: number, change: Partial<GridRow> = {}): GridRow => ({
  ...emptyRow(),
  id: `row-${index}`,
  line: index + 1,
  notices: [],
  ...change,
})
const without = (draft: BulkDraft, id: GridRow['id']) => withoutRows(draft, new Set([id]))
const table = (...rows: GridRow[]): BulkDraft => ({ ...EMPTY_BULK_DRAFT, rows })
const weights = (draft: BulkDraft | undefined) => draft?.rows.map(one => one.PackageWeight)

const LINES = ['Wanda', 'Ana'].map(
  name => `${name},,,1 Mill Rd,,Roseburg,OR,97470,Bo,,,9 Oak St,,Portland,ME,04101,9,6,3,1`,
)
const upload = () => {
  const imported = importFile(
    new TextEncoder().encode(TEMPLATE_CSV + LINES.join('\r\n')),
    'orders.csv',
    { skus: [], maxRows: 10 },
  )
  if (!('rows' in imported)) throw new Error(JSON.stringify(imported))
  return { file: null, rows: imported.rows, notices: imported.notices }
}

test('rows of a file get the service chosen on the page', () => {
  expect(draftOfFiles([upload()], 'Ground').rows.map(one => one.ServiceName)).toEqual([
    'Ground',
    'Ground',
  ])
  expect(draftOfFiles([upload()], '')).toMatchObject({ service: '', edited: false, orderId: null })
})

test('choosing another service changes every row', () => {
  const draft = withService(table(row(0, { ServiceName: 'Ground' }), row(1)), 'Express')
  expect(draft.service).toBe('Express')
  expect(draft.rows.map(one => one.ServiceName)).toEqual(['Express', 'Express'])
})

test('saving the measures of a SKU copies them to its other rows and counts these', () => {
  const draft = table(
    row(0, { skuNumber: 'MUG', PackageWeight: '1' }),
    row(1, { skuNumber: 'MUG' }),
    row(2, { skuNumber: 'TEE', PackageWeight: '3' }),
  )
  const before = draft.rows[0]!
  const saved = withEdit(draft, before, { ...before, PackageWeight: '2' })
  expect(weights(saved?.draft)).toEqual(['2', '2', '3'])
  expect(saved).toMatchObject({
    filledRows: 1,
    skuRow: { skuNumber: 'MUG' },
    draft: { edited: true },
  })
})

test('editing an address does not change the measures of other rows', () => {
  const draft = table(
    row(0, { skuNumber: 'MUG', PackageWeight: '1' }),
    row(1, { skuNumber: 'MUG', PackageWeight: '5' }),
  )
  const before = draft.rows[0]!
  const saved = withEdit(draft, before, { ...before, ToCity: ' Bend ' })
  expect(saved).toMatchObject({ filledRows: 0, skuRow: null })
  expect(weights(saved?.draft)).toEqual(['1', '5'])
  expect(saved?.draft.rows[0]?.ToCity).toBe('Bend')
})

test('an edit does not overwrite other changes made to the row meanwhile', () => {
  const before = row(0, { ServiceName: 'Ground' })
  const meanwhile = withService(table(before), 'Express')
  const saved = withEdit(meanwhile, before, { ...before, ToCity: 'Bend' })
  expect(saved?.draft.rows[0]).toMatchObject({ ServiceName: 'Express', ToCity: 'Bend' })
})

const MUG = { sku: 'MUG', maxQty: 2, weight: 2, length: 6, width: 5, height: 4, description: '' }
const SKUS = indexBySku([MUG, { ...MUG, sku: 'CRATE', weight: 9 }])
const MEASURES = {
  PackageWeight: '2',
  PackageLength: '6',
  PackageWidth: '5',
  PackageHeight: '4',
}
/** One edit after the other, as they are entered in the cell of the SKU. */
const enterEach = (draft: BulkDraft, ...names: string[]): BulkDraft =>
  names.reduce((now, skuNumber) => {
    const before = now.rows[0]!
    const typed = { ...before, skuNumber }
    const entered = enterSku(typed, filledBefore(before, SKUS), SKUS).row
    return withEdit(now, before, entered, SKUS)!.draft
  }, draft)

test.each(['', 'MU'])(
  'a SKU that was saved as “%s” before the right one still brings its own measures',
  onTheWay => {
    const draft = table(row(0, { skuNumber: 'MUG', ...MEASURES, PackageHeight: '3' }))
    expect(weights(enterEach(draft, onTheWay))).toEqual(['2'])
    const corrected = enterEach(draft, onTheWay, 'CRATE').rows[0]!
    // Its height was typed.
    expect(corrected).toMatchObject({ PackageWeight: '9', PackageLength: '6', PackageHeight: '3' })
    expect(corrected).not.toHaveProperty('measuresOf')
    expect(Object.keys(toSubmittedRow(enterEach(draft, onTheWay).rows[0]!))).not.toContain(
      'measuresOf',
    )
  },
)

test('a SKU cleared from its cell by a key or by a paste still leaves its measures to the next one', () => {
  const draft = table(row(0, { skuNumber: 'MUG', ...MEASURES }))
  const cleared = withCells(draft, [0], () => ({ skuNumber: '' }), SKUS).draft
  expect(weights(enterEach(cleared, 'CRATE'))).toEqual(['9'])
  const pasted = withPaste(draft, { row: 0, column: 0 }, [['']], ['skuNumber'], SKUS).draft
  expect(weights(enterEach(pasted, 'CRATE'))).toEqual(['9'])
  const pasteCells = (...cells: string[]) =>
    withPaste(cleared, { row: 0, column: 0 }, [cells], ['skuNumber', 'PackageWeight'], SKUS)
  expect(weights(pasteCells('CRATE').draft)).toEqual(['9'])
  expect(weights(withCells(cleared, [0], () => ({ skuNumber: 'CRATE' }), SKUS).draft)).toEqual([
    '9',
  ])
  // A weight that comes with the SKU is its own; the other measures are those of the SKU, also beside a quantity.
  const withWeight = pasteCells('CRATE', '2').draft
  expect(weights(withWeight)).toEqual(['2'])
  expect(withWeight.rows[0]).toMatchObject({ PackageLength: '6' })
  const withQuantity = withPaste(
    cleared,
    { row: 0, column: 0 },
    [['CRATE', '3']],
    ['skuNumber', 'quantity'],
    SKUS,
  )
  expect(weights(withQuantity.draft)).toEqual(['9'])
  // So is a size of one cell, and a value that is the one of before.
  const { draft: withSize } = withPaste(
    cleared,
    { row: 0, column: 0 },
    [['CRATE', '1 x 1 x 1']],
    ['skuNumber', 'size'],
    SKUS,
  )
  expect(withSize.rows[0]).toMatchObject({ PackageLength: '1', PackageWeight: '9' })
  const given = { skuNumber: 'CRATE', PackageWeight: MEASURES.PackageWeight }
  expect(weights(withCells(draft, [0], () => given, SKUS).draft)).toEqual(['2'])
  // Measures of a row that never had another SKU are its own.
  expect(weights(enterEach(table(row(0, MEASURES)), 'CRATE'))).toEqual(['2'])
})

test('a deleted row can be neither saved nor deleted again', () => {
  const gone = row(7)
  expect(withEdit(table(row(0)), gone, { ...gone, ToCity: 'Bend' })).toBeNull()
  const draft = table(row(0))
  expect(without(draft, 'row-7')).toBe(draft)
})

test('a pasted row is normalized, and a pasted SKU fills its measures', () => {
  const skus = indexBySku([
    { sku: 'MUG', maxQty: 2, weight: 1.5, length: 6, width: 5, height: 4, description: 'Mug' },
  ])
  const cells = [
    ['MUG', 'oregon'],
    ['', 'ME'],
    ['TEE', 'WA'],
  ]
  const pasted = withPaste(
    table(row(0), row(1)),
    { row: 0, column: 0 },
    cells,
    ['skuNumber', 'ToStateProvince'],
    skus,
  )
  expect(pasted).toMatchObject({ changedRows: 2, droppedCells: 2 })
  expect(pasted.draft.rows[0]).toMatchObject({
    skuNumber: 'MUG',
    PackageWeight: '1.5',
    PackageDescription: 'Mug',
    ToStateProvince: 'OR',
  })
})

test('pasting the same values changes nothing', () => {
  const draft = table(row(0, { ToCity: 'Bend' }))
  expect(withPaste(draft, { row: 0, column: 0 }, [['Bend']], ['ToCity'], new Map()).draft).toBe(
    draft,
  )
})

const failed = (orderId: string, data: Record<string, string>) => ({
  orderId,
  row: 3,
  reason: 'Address not deliverable',
  data,
})

test('failed rows keep their reason and replace their old orders, except deleted rows', () => {
  const draft = draftFromFailedRows([
    failed('901', { ServiceName: 'Ground', orderId: '111-1' }),
    failed('902', { ServiceName: 'Ground' }),
  ])
  expect(draft.service).toBe('Ground')
  expect(draft.rows[0]).toMatchObject({ orderId: '111-1', notices: ['Address not deliverable'] })
  expect(replacedOrders(draft)).toEqual(['901', '902'])
  expect(replacedOrders(without(draft, 'row-0'))).toEqual(['902'])
})

test('failed rows with different services keep their own', () => {
  const draft = draftFromFailedRows([
    failed('901', { ServiceName: 'Ground' }),
    failed('902', { ServiceName: 'Express' }),
  ])
  expect(draft.service).toBe('')
  expect(draft.rows.map(one => one.ServiceName)).toEqual(['Ground', 'Express'])
})

test('only the fields of a row are sent', () => {
  expect(Object.keys(toSubmittedRow(row(0)))).toEqual(Object.keys(emptyRow()))
})

test('an item of a single row is sent as the row is now, with the columns of its file', () => {
  const extra = { 'PO#': '7' }
  const read = row(0, {
    orderId: '1001',
    orderItemId: 'old',
    skuNumber: 'x'.repeat(61),
    quantity: '2 pcs',
    items: [{ orderItemId: 'old', sku: 'x'.repeat(61), quantity: '2 pcs', extra }],
  })
  const edited = { ...read, orderItemId: 'new', skuNumber: 'MUG', quantity: '1' }
  expect(toSubmittedRow(edited).items).toEqual([
    { orderItemId: 'new', sku: 'MUG', quantity: '1', extra },
  ])
  const items = [
    { orderItemId: '1', sku: 'TEE', quantity: '2' },
    { orderItemId: '2', sku: 'MUG', quantity: '1' },
  ]
  expect(toSubmittedRow({ ...edited, items }).items).toEqual(items)
})

test('accepted and deleted combined rows replace none of their failed orders any more', () => {
  const combined = row(0, { parts: [row(0), row(1)] })
  const draft = {
    ...table(combined, row(2)),
    replaces: { 'row-0': '901', 'row-1': '902', 'row-2': '903' },
  }
  const left = { 'row-2': '903' }
  expect(without(draft, 'row-0').replaces).toEqual(left)
  expect(withoutAccepted(draft, ['row-0', 'row-1'], '7').replaces).toEqual(left)
  expect(without(draft, 'row-2').replaces).toEqual({ 'row-0': '901', 'row-1': '902' })
})

test('rows that are left after a part was accepted are another table, not the same file again', () => {
  const file = {
    name: 'a.csv',
    sha256: 'a'.repeat(64),
    source: 'template' as const,
    rows: 3,
    readMs: 1,
  }
  const draft = {
    ...draftFromFailedRows([]),
    rows: [row(0), row(1), row(2)],
    files: [file],
    orderId: '7',
    lost: true,
    part: ['row-0' as const, 'row-1' as const],
  }
  const rest = withoutAccepted(draft, ['row-0', 'row-1'], '7')
  expect(rest.rows).toEqual([draft.rows[2]])
  expect(rest).toMatchObject({ orderId: null, lost: false, part: null })
  expect(rest.files[0]!.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(rest.files[0]!.sha256).not.toBe(file.sha256)
})
