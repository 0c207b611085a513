import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import { EMPTY_BULK_DRAFT, withService } from '#web/batches/bulk/drafts/draft.ts'
import type { BulkDraft } from '#web/batches/bulk/drafts/draft.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { redoChange, tableChange, undoChange } from './history.ts'

const row = (index: number): GridRow => ({
  ...emptyRow(),
  id: `row-${index}`,
  line: index + 1,
  notices: [],
})
const table: BulkDraft = { ...EMPTY_BULK_DRAFT, rows: [0, 1, 2, 3, 4].map(row) }

test('each change of the table is undone and done again exactly', () => {
  const edited = { ...table, edited: true, rows: table.rows.with(3, row(9)) }
  const changes: BulkDraft[] = [
    edited,
    withService(table, 'Ground'),
    { ...table, rows: table.rows.filter((_, index) => index !== 1 && index !== 3) },
    { ...table, rows: table.rows.toSpliced(2, 0, row(7), row(8)) },
    { ...table, rows: [] },
  ]
  for (const after of changes) {
    const change = tableChange(table, after, 'change')
    expect(undoChange(change, after)).toEqual(table)
    expect(redoChange(change, table)).toEqual(after)
  }
})

test('a change of one cell keeps one row in memory, not the table', () => {
  const change = tableChange(table, { ...table, rows: table.rows.with(3, row(9)) }, 'edit')
  expect([change.swaps.length, change.splice]).toEqual([1, null])
  const deletion = tableChange(table, { ...table, rows: table.rows.toSpliced(2, 1) }, 'delete')
  expect(deletion.splice).toEqual({ at: 2, before: [table.rows[2]], after: [] })
})

test('undo keeps the number under which the table may have been submitted', () => {
  const after = { ...table, rows: table.rows.with(0, row(9)) }
  const change = tableChange(table, after, 'edit')
  expect(undoChange(change, { ...after, orderId: 'bulk-1', lost: true })).toMatchObject({
    orderId: 'bulk-1',
    lost: true,
  })
})
