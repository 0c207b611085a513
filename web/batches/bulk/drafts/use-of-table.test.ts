import { expect, test } from 'vitest'
import { row } from '#tests/support/rows.ts'
import { draftOfFiles, withFiles } from '#web/batches/bulk/files/table-files.ts'
import type { FileRows } from '#web/batches/bulk/files/table-files.ts'
import { combineRows } from '#web/batches/bulk/parcels/combine.ts'
import { isSameTable } from './use-of-table.ts'

/** Two lines of one order, and one of another. */
const fileOf = (name: string): FileRows => ({
  file: { name, sha256: name.repeat(64), source: 'template', rows: 3, readMs: 9 },
  rows: [1, 2, 3].map(n => ({
    ...row(4, { orderId: n < 3 ? 'A' : 'B' }),
    id: `row-${n - 1}` as const,
    line: n,
    notices: [],
  })),
  notices: [],
})

test('a question about rows stays while files are added below them, not when rows move', () => {
  const apart = draftOfFiles([fileOf('a')], '')
  const added = withFiles(apart, [fileOf('b')])
  expect(isSameTable(apart, added)).toBe(true)
  const combined = { ...added, rows: combineRows(added.rows, 'order', new Map()) }
  expect(combined.rows).toHaveLength(4)
  expect(isSameTable(apart, combined)).toBe(false)
  expect(isSameTable(apart, { ...apart, key: 'another' })).toBe(false)
})
