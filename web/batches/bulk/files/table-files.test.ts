import { expect, test } from 'vitest'
import { rows as validRows } from '#tests/support/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { draftOfFiles, submittedFile, withFileAgain, withFiles } from './table-files.ts'
import type { FileRows } from './table-files.ts'

const fileOf = (name: string, count: number): FileRows => ({
  file: { name, sha256: name.repeat(64).slice(0, 64), source: 'template', rows: count, readMs: 9 },
  rows: validRows(count, () => ({ ServiceName: '' })).map((row, index): GridRow => ({
    ...row,
    id: `row-${index}`,
    line: index + 1,
    notices: [],
  })),
  notices: ['Ignored columns: Gift.'],
})
const hashText = (text: string) => `hash of ${text.length}`

test('rows of several files are in one table, and each knows its file', () => {
  const draft = draftOfFiles([fileOf('a', 2), fileOf('b', 1)], 'USPS Priority Mail')
  expect(
    draft.rows.map(({ id, file, line, ServiceName }) => [id, file, line, ServiceName]),
  ).toEqual([
    ['row-0', 0, 1, 'USPS Priority Mail'],
    ['row-1', 0, 2, 'USPS Priority Mail'],
    ['row-2', 1, 1, 'USPS Priority Mail'],
  ])
  expect(draft.notices).toEqual(['a: Ignored columns: Gift.', 'b: Ignored columns: Gift.'])
})

test('services in the files stay; the page takes over the one that all rows have', () => {
  const named = (...names: string[]): FileRows => {
    const file = fileOf('a', names.length)
    return { ...file, rows: file.rows.map((row, at) => ({ ...row, ServiceName: names[at]! })) }
  }
  const names = (draft: ReturnType<typeof draftOfFiles>) => [
    draft.service,
    ...draft.rows.map(row => row.ServiceName),
  ]
  expect(names(draftOfFiles([named('B', 'B')], ''))).toEqual(['B', 'B', 'B'])
  expect(names(draftOfFiles([named('A', 'B')], ''))).toEqual(['', 'A', 'B'])
  expect(names(draftOfFiles([named('B', '')], 'A'))).toEqual(['A', 'B', 'A'])
})

test('a file that is added keeps the rows and their changes', () => {
  const first = draftOfFiles([fileOf('a', 2)], '')
  const combined: GridRow = { ...first.rows[0]!, parts: [...first.rows] }
  const draft = withFiles({ ...first, rows: [combined] }, [fileOf('b', 2)])
  expect(draft.rows[0]).toBe(combined)
  expect(draft.rows.map(({ id, file }) => [id, file])).toEqual([
    ['row-0', 0],
    ['row-2', 1],
    ['row-3', 1],
  ])
})

test('a file that is read again has new rows in its place, and none of them is taken for one of before', () => {
  const before = draftOfFiles([fileOf('a', 2), fileOf('b', 2)], '')
  const sha256Of = (index: number) => before.files[index]!.sha256
  const idsOf = (index: number, read: FileRows) =>
    withFileAgain(before, sha256Of(index), read).rows.map(({ id, file }) => [id, file])
  expect(idsOf(1, fileOf('c', 3))).toEqual([
    ['row-0', 0],
    ['row-1', 0],
    ['row-4', 1],
    ['row-5', 1],
    ['row-6', 1],
  ])
  expect(idsOf(0, fileOf('c', 1))).toEqual([
    ['row-2', 1],
    ['row-3', 1],
    ['row-4', 0],
  ])
})

test('pasted cells are rows of no file', () => {
  const draft = draftOfFiles([{ ...fileOf('a', 1), file: null }], '')
  expect([draft.files, draft.rows[0]!.file]).toEqual([[], undefined])
  expect(submittedFile(draft, draft.rows, hashText)).toBeNull()
})

test('a submit names its file, and of several files the first with a hash of all', () => {
  const draft = draftOfFiles([fileOf('a', 1), fileOf('b', 1)], '')
  const [first, second] = draft.rows
  expect(submittedFile(draft, [second!], hashText)).toMatchObject({
    name: 'b',
    sha256: 'b'.repeat(64),
  })
  const all = submittedFile(draft, [first!, second!], hashText)
  expect(all).toEqual({ name: 'a + 1', sha256: 'hash of 129', source: 'template' })
})
