import { expect, test } from 'vitest'
import { rowErrors } from '#contract/row-rules.ts'
import { emptyRow, tidyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { rows as validRows } from '#tests/support/rows.ts'
import { EMPTY_BULK_DRAFT } from '#web/batches/bulk/drafts/draft.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { faultCauses, faultKeys } from './fault-causes.ts'
import { withMeasures, withSavedSkus, withSender, withZipZeros } from './fault-remedies.ts'
import { faultyRowsCsv } from './faulty-file.ts'
import { invalidRowIndexes } from './validation.ts'

const NO_MEASURES = {
  PackageLength: '',
  PackageWidth: '',
  PackageHeight: '',
  PackageWeight: '',
}
const validate = (row: GridRow) => rowErrors(row, { needService: false })
const tableOf = (...changes: Partial<BulkRow>[]): BulkDraft => ({
  ...EMPTY_BULK_DRAFT,
  rows: validRows(changes.length, n => changes[n - 1] ?? {}).map((row, index) => ({
    ...tidyRow({ ...emptyRow(), ...row }),
    id: `row-${index}` as const,
    line: index + 1,
    notices: [],
  })),
})
const causesOf = ({ rows }: BulkDraft) =>
  faultCauses(rows, invalidRowIndexes(rows, validate), validate)
const invalidOf = ({ rows }: BulkDraft) => invalidRowIndexes(rows, validate)

const table = tableOf(
  { skuNumber: 'NEW-1', ...NO_MEASURES, PackageHeight: '7' },
  { skuNumber: 'NEW-1', ...NO_MEASURES },
  { skuNumber: 'OLD-1' },
  { ToZipPostal: '4101', ToStateProvince: 'ME' },
  { ToZipPostal: '2108', ToStateProvince: 'MA', ToCity: '' },
  { PackageWeight: '' },
)

test('fifty rows of one SKU without measures are one fault, not fifty', () => {
  expect(causesOf(table).map(({ rows, text }) => [rows, text])).toEqual([
    [2, 'NEW-1 has no measures'],
    [2, 'To Zip is missing its leading zero'],
    [1, 'To City is required'],
    [1, 'no weight'],
  ])
  expect(faultKeys(table.rows[2]!, validate(table.rows[2]!))).toEqual([])
})

const textsOf = (...changes: Partial<BulkRow>[]) =>
  causesOf(tableOf(...changes)).map(({ rows, text }) => [rows, text])

test('a cause of several rows tells how to correct it, by an example where the values differ', () => {
  expect(
    textsOf(
      { PackageWeight: '1,5' },
      { PackageWeight: '2,5 kg' },
      { PackageWeight: '3,5' },
      { PackageWeight: 'heavy' },
      { PackageWeight: 'light' },
      { ToZipPostal: '1' },
      { ToZipPostal: '22' },
      { ToCountry: 'Canada' },
      { ToCountry: "Land O'Lakes" },
    ),
  ).toEqual([
    [3, "Weight must be a positive number; for example, type 1.5 for '1,5'"],
    [2, 'Weight must be a positive number'],
    [2, 'To Zip must be a 5-digit ZIP or ZIP+4 (97030-1234)'],
    [2, 'To Country is not supported; we ship within the US only'],
  ])
})

test('a cause leaves out the value of a row, also one with a semicolon or an apostrophe', () => {
  const advice = 'type it like 404-555-0192 ext. 9, or leave it empty'
  expect(
    textsOf({ ToPhone: '404-555-0192;ext=4' }, { ToPhone: "tel:'404" }, { ToPhone: 'tel:4045550' }),
  ).toEqual([[3, `To Phone is not a phone number; ${advice}`]])
})

test('measures entered once fill every row of the SKU, but what the file tells stays', () => {
  const { draft, measuredRow } = withMeasures(
    table,
    { sku: 'NEW-1', key: 'sku:NEW-1' },
    { PackageLength: '9', PackageWidth: '6', PackageHeight: '3', PackageWeight: '1.5' },
    validate,
  )
  expect(invalidOf(draft)).toEqual([3, 4, 5])
  expect(measuredRow).toMatchObject({ skuNumber: 'NEW-1', PackageWeight: '1.5' })
  expect(draft.rows.slice(0, 2).map(row => row.PackageHeight)).toEqual(['7', '3'])
  expect(draft.rows[2]).toBe(table.rows[2])
})

test('a SKU of which only the weight is missing asks for nothing else', () => {
  const [cause] = causesOf(tableOf({ skuNumber: 'NEW-1', PackageWeight: '' }))
  expect(cause).toMatchObject({
    text: 'NEW-1 has no weight',
    remedy: { fields: ['PackageWeight'] },
  })
})

test('a weight entered once fills only the rows that have none', () => {
  const { draft, measuredRow } = withMeasures(
    table,
    { sku: '', key: 'measures:PackageWeight' },
    { PackageWeight: '2' },
    validate,
  )
  expect(draft.rows[5]!.PackageWeight).toBe('2')
  expect(draft.rows.slice(0, 5)).toEqual(table.rows.slice(0, 5))
  expect(measuredRow).toBeNull()
})

test('a SKU that was saved after the file was read fills the blank cells of its rows', () => {
  const saved = { maxQty: 1, weight: 1.5, length: 9, width: 6, height: 3, description: 'Mug' }
  const skus = new Map(['NEW-1', 'OLD-1'].map(sku => [sku, { ...saved, sku }]))
  const filled = withSavedSkus(table, skus)
  expect(invalidOf(filled)).toEqual([3, 4, 5])
  expect(filled.rows.slice(0, 2).map(row => row.PackageHeight)).toEqual(['7', '3'])
  expect(filled.rows.slice(2)).toEqual(table.rows.slice(2))
  expect(withSavedSkus(filled, skus)).toBe(filled)
})

test('lost zeros are put back in all rows at once', () => {
  const zips = withZipZeros(table, 'ToZipPostal').rows.map(row => row.ToZipPostal)
  expect(zips.slice(3, 5)).toEqual(['04101', '02108'])
})

test('a saved address fills the rows without a sender, and no other', () => {
  const draft = tableOf(
    {},
    {
      FromSenderName: '',
      FromStreet1: '',
      FromCity: '',
      FromStateProvince: '',
      FromZipPostal: '',
    },
  )
  const [cause] = causesOf(draft)
  expect(cause).toMatchObject({ rows: 1, text: 'no sender', remedy: { kind: 'sender' } })
  const address = { name: 'Ana', street: '1 Elm St', city: 'Bend', state: 'OR', zip: '97701' }
  const filled = withSender(draft, cause!.key, address, validate)
  expect(invalidOf(filled)).toEqual([])
  expect(filled.rows[0]).toBe(draft.rows[0])
})

test('faulty rows are downloaded with their order, and with every reason', () => {
  const [row] = tableOf({
    ToCity: '',
    ToZipPostal: '4101',
    ToStateProvince: 'ME',
    orderId: '=1001',
    orderItemId: 'item-0',
  }).rows
  const [head, line] = faultyRowsCsv([row!], validate).split('\r\n')
  expect(head).toMatch(/^\ufeffFROM NAME,.*,WEIGHT,ORDER ID,.*REASON,SERVICE$/)
  expect(head).not.toContain('ORDER ITEM ID')
  expect(line).toContain("'=1001")
  expect(line).toContain('To City is required; To Zip')
  expect(line).toMatch(/,USPS Ground Advantage$/)
  const unchosen = faultyRowsCsv([{ ...row!, ServiceName: '' }], validate)
  expect(unchosen).not.toContain('SERVICE')
})

test('the items of combined rows are in the file of faulty rows', () => {
  const [row] = tableOf({ ToCity: '' }).rows
  const items = [
    { orderItemId: '11', sku: 'TEE', quantity: '2' },
    { orderItemId: '12', sku: 'MUG', quantity: '1' },
  ]
  const [head, line] = faultyRowsCsv([{ ...row!, items }], validate).split('\r\n')
  expect(head).toMatch(/,ITEMS,REASON,SERVICE$/)
  expect(line).toContain('"[{""orderItemId"":""11"",""sku"":""TEE"",""quantity"":""2""},')
  const single = { ...row!, orderItemId: '13', quantity: '3', items: items.slice(0, 1) }
  expect(faultyRowsCsv([single], validate)).toContain('""orderItemId"":""13"",')
})
