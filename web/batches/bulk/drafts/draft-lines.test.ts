import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import { combineRows, takeAllApart } from '#web/batches/bulk/parcels/combine.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import {
  EMPTY_BULK_DRAFT,
  lineIdsOf,
  onlyLines,
  sentRows,
  sharedLines,
  withoutAccepted,
} from './draft.ts'
import type { BulkDraft } from './draft.ts'

const line = (index: number, orderId: string, change: Partial<GridRow> = {}): GridRow => ({
  ...emptyRow(),
  id: `row-${index}`,
  line: index + 2,
  notices: [],
  orderId,
  ToRecipientName: 'Ana',
  ToStreet1: '9 Oak St',
  ToZipPostal: '04101',
  ...change,
})
const table = (rows: GridRow[], change: Partial<BulkDraft> = {}): BulkDraft => ({
  ...EMPTY_BULK_DRAFT,
  rows,
  ...change,
})
const LINES = [line(0, 'A'), line(1, 'B'), line(2, 'A')]
const byOrder = (rows: GridRow[]) => combineRows(rows, 'order', new Map())

test('a bought line leaves a row it was combined into later; the other lines of the row stay', () => {
  const draft = table(byOrder(LINES))
  expect(draft.rows).toHaveLength(2)
  const rest = withoutAccepted(draft, ['row-0', 'row-1'], '7')
  expect(lineIdsOf(rest.rows)).toEqual(['row-2'])
  expect(rest.rows[0]!.parts).toBeUndefined()
})

test('all lines of a bought row leave, even if it was taken apart meanwhile', () => {
  const sent = byOrder(LINES).slice(0, 1)
  const rest = withoutAccepted(table(takeAllApart(byOrder(LINES))), lineIdsOf(sent), '7')
  expect(lineIdsOf(rest.rows)).toEqual(['row-1'])
})

test('rows that were sent are found by their lines', () => {
  const rows = byOrder(LINES)
  expect(sentRows(table(rows, { part: ['row-0', 'row-2'] }))).toEqual([rows[0]])
  expect(sentRows(table(rows))).toBe(rows)
  expect(lineIdsOf(onlyLines(rows, ['row-0', 'row-1']))).toEqual(['row-0', 'row-1'])
})

const file = (sha256: string) => ({
  name: 'a.csv',
  sha256,
  source: 'template' as const,
  rows: 3,
  readMs: 1,
})

test('a saved draft shares only the lines of the same file, however they are combined', () => {
  const lines = LINES.map(one => ({ ...one, file: 0 }))
  const sent = table(byOrder(lines).slice(0, 1), { files: [file('a')] })
  expect(sharedLines(table(lines, { files: [file('a')] }), sent)).toEqual(['row-0', 'row-2'])
  expect(sharedLines(table(lines, { files: [file('b')] }), sent)).toEqual([])
})
