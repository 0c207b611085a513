import { expect, test } from 'vitest'
import { emptyRow, FIELDS } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { seenTexts } from '#web/batches/bulk/checks/texts.ts'
import { restHash } from '#web/batches/bulk/drafts/draft.ts'
import { combineRows } from '#web/batches/bulk/parcels/combine.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import {
  labelsOfRest,
  leaveOut,
  leftOutCounts,
  seenFrom,
  seenQuestion,
  seenSummary,
} from './seen.ts'

const NO_SKUS = new Map<string, SkuMeasures>()
const HASH = 'a'.repeat(64)
const FILE = {
  name: 'orders.csv',
  sha256: HASH,
  source: 'shopify' as const,
  rows: 3,
  readMs: 5,
}

const line = (index: number, cells: Partial<BulkRow> = {}): GridRow => ({
  ...emptyRow(),
  ToRecipientName: 'Ada Lee',
  ToStreet1: '12 Main St',
  ToCity: 'Portland',
  ToStateProvince: 'ME',
  ToZipPostal: '04101',
  PackageWeight: '1',
  orderId: '#1001',
  orderItemId: `1001-${index + 1}`,
  ...cells,
  id: `row-${index}`,
  line: index + 1,
  notices: [],
  file: 0,
})

test('only ids and the hash of the file are asked about, no name and no address', () => {
  const rows = [line(0), line(1, { orderId: '' }), { ...line(2), file: 1 }]
  const question = seenQuestion(rows, FILE, 0)
  expect(question).toEqual({
    fileHash: HASH,
    rows: [{ row: 1, orderId: '#1001', orderItemId: '1001-1' }],
  })
  const text = JSON.stringify(question)
  for (const { name } of FIELDS) {
    if (!name.startsWith('To') || rows[0]![name] === '' || name === 'ToCountry') continue
    expect(text).not.toContain(rows[0]![name])
  }
})

test('a row that combines orders asks about each of its items', () => {
  const items = [
    { orderItemId: '1', sku: 'TEE', quantity: '1' },
    { orderId: '1002', orderItemId: '2', sku: 'MUG', quantity: '1' },
  ]
  expect(seenQuestion([{ ...line(0), items }], undefined, 0).rows).toEqual([
    { row: 1, orderId: '#1001', orderItemId: '1' },
    { row: 2, orderId: '1002', orderItemId: '2' },
  ])
})

const AT = '2026-11-20T10:00:00.000Z'

test('rows with a label are counted once and left out; a combined row loses only those lines', () => {
  const lines = [line(0), line(1), line(2), line(3, { orderId: '2000' })]
  const answer = {
    file: null,
    rows: [
      { row: 2, trackingNumber: '9400', at: AT },
      { row: 2, trackingNumber: '9401', at: AT },
      { row: 4, trackingNumber: null, at: AT },
    ],
  }
  const seen = seenFrom(lines, [{ index: 0, file: FILE, answer }])
  expect(seenSummary(seen, lines)).toMatchObject({ count: 2, total: 4 })
  const table = combineRows(lines, 'order', NO_SKUS)
  const { ids, ...counts } = seenSummary(seen, table)
  expect(counts).toEqual({ count: 2, total: 2 })
  expect([...ids!]).toEqual(['row-1', 'row-3'])
  const left = leaveOut(table, ids!, 'order', NO_SKUS)
  expect(left).toHaveLength(1)
  expect(left[0]!.items?.map(({ orderItemId }) => orderItemId)).toEqual(['1001-1', '1001-3'])
  expect(left[0]!.PackageWeight).toBe('2')
  expect(leaveOut(table, new Set(['row-99']), 'order', NO_SKUS)).toEqual(table)
  expect(seenSummary(seen, left)).toEqual({ count: 0, total: 1, ids: new Set() })
})

test('a line of several items keeps those that have no label', () => {
  const items = [
    { orderItemId: '1', sku: 'TEE', quantity: '2' },
    { orderItemId: '2', sku: 'MUG', quantity: '1' },
    { orderId: '1002', orderItemId: '3', sku: 'CAP', quantity: '3' },
  ]
  const cells = { quantity: '6', PackageReference1: '6' }
  const lines = [
    { ...line(0, { ...cells, PackageDescription: '2x TEE, 1x MUG, 3x CAP' }), items },
    line(1, { orderId: '2000' }),
  ]
  const { rows: asked } = seenQuestion(lines, undefined, 0)
  expect(asked.map(({ row }) => row)).toEqual([1, 2, 3, 4])
  const answerOf = (...places: number[]) => ({
    index: 0,
    file: FILE,
    answer: { file: null, rows: places.map(row => ({ row, trackingNumber: '9400', at: AT })) },
  })
  const left = (...places: number[]) => {
    const seen = seenFrom(lines, [answerOf(...places)])
    const { ids, count } = seenSummary(seen, lines)
    const rows = leaveOut(lines, ids!, 'line', NO_SKUS, seen.labels)
    expect(seenSummary(seen, rows).count).toBe(0)
    return { count, rows }
  }
  const one = left(1)
  expect(one.count).toBe(1)
  expect(one.rows[0]).toMatchObject({
    id: 'row-0',
    orderId: '#1001',
    orderItemId: '2',
    quantity: '4',
    PackageReference1: '4',
    PackageDescription: '1x MUG, 3x CAP',
    items: items.slice(1),
    notices: ['Left out 1 order item that already has a label. Check the weight.'],
  })
  expect(one.rows[1]).toBe(lines[1])
  expect(left(1, 2).rows[0]).toMatchObject({
    orderId: '1002',
    orderItemId: '3',
    skuNumber: 'CAP',
    quantity: '3',
    items: [{ orderItemId: '3', sku: 'CAP', quantity: '3' }],
  })
  expect(left(1, 2, 3, 4).rows).toEqual([])
})

/** Three lines of one file without order ids, of which so many labels are known. */
const withoutIds = [0, 1, 2].map(index => line(index, { orderId: '' }))
const fileAnswer = (labels: number, index: number | null = 0) => ({
  index,
  file: FILE,
  answer: { file: { batchId: 'b1', at: AT, labels }, rows: [] },
})

test('a file without order ids that was bought whole is left out whole', () => {
  const seen = seenFrom(withoutIds, [fileAnswer(3)])
  const { ids, ...counts } = seenSummary(seen, withoutIds)
  expect(counts).toEqual({ count: 3, total: 3 })
  expect(ids?.size).toBe(3)
})

test('which rows of a file without order ids have its labels is not guessed', () => {
  // One label failed or was voided.
  expect(seenSummary(seenFrom(withoutIds, [fileAnswer(2)]), withoutIds)).toEqual({
    count: 2,
    total: 3,
    ids: null,
  })
  // Two labels are of lines that left the table, as after a purchase of a part.
  const rest = withoutIds.slice(2)
  expect(seenSummary(seenFrom(rest, [fileAnswer(2)]), rest)).toMatchObject({ count: 0, total: 1 })
  expect(seenSummary(seenFrom(rest, [fileAnswer(3)]), rest)).toMatchObject({ count: 1, total: 1 })
  expect(seenSummary(seenFrom(withoutIds, []), withoutIds).count).toBe(0)
})

test('labels of a file that was bought in parts count from its first part on', async () => {
  const [first, second] = [restHash(HASH, '7'), restHash(restHash(HASH, '7'), '8')]
  const parts = new Map([
    [first, { batchId: '8', at: AT, labels: 20 }],
    [second, { batchId: '9', at: AT, labels: 9 }],
  ])
  const batchOf = async (hash: string) => parts.get(hash) ?? null
  expect(await labelsOfRest(HASH, '7', batchOf)).toBe(29)
  expect(await labelsOfRest(HASH, '6', batchOf)).toBe(0)
})

test('files that were submitted together are known together', () => {
  const rows = withoutIds.map((row, index) => ({ ...row, file: index }))
  const seen = seenFrom(rows, [fileAnswer(3, null)])
  expect(seenSummary(seen, rows)).toMatchObject({ count: 3, total: 3 })
})

test('rows that leave the table and items that leave a row are counted apart', () => {
  const items = [
    { orderItemId: '1', sku: 'TEE', quantity: '1' },
    { orderItemId: '2', sku: 'MUG', quantity: '1' },
  ]
  const rows = [line(0), { ...line(1, { orderId: '1002' }), items }, line(2, { orderId: '1003' })]
  const after = [{ ...rows[1]!, items: items.slice(1) }, rows[2]!]
  expect(leftOutCounts(rows, after)).toEqual({ rows: 1, items: 1 })
  expect(seenTexts.leftOut({ rows: 1, items: 1 })).toBe(
    'Left out 1 row and 1 order item that already have a label.',
  )
  const combined = combineRows([line(0), line(1)], 'order', NO_SKUS)
  expect(leftOutCounts(combined, [line(1)])).toEqual({ rows: 0, items: 1 })
  expect(leftOutCounts(combined, [])).toEqual({ rows: 1, items: 0 })
  expect(seenTexts.leftOut({ rows: 1, items: 0 })).toBe('Left out 1 row that already has a label.')
})
