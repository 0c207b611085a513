import { expect, test } from 'vitest'
import { formatsOf, labelsWish, rowsProblem, testWish } from './choice.ts'
import type { Choice, Printable } from './choice.ts'

const label: Printable = { name: 'label for June Rivera', pdfName: 'SAMPLE-81.pdf' }
const bulk: Printable = { name: 'this bulk order', orderId: '17', rows: 300 }
const as = (part: Partial<Choice> = {}): Choice => ({
  format: 'pdf',
  half: 'upper',
  only: '',
  ...part,
})

test('a label as 4x6 PDF is what its link gives', () => {
  expect(labelsWish(label, as())).toEqual({
    params: { kind: 'v2', name: 'SAMPLE-81.pdf' },
    query: {},
  })
  expect(labelsWish(bulk, as())).toEqual({ params: { kind: 'pdf', name: '17' }, query: {} })
})

test('the lower half of a sheet is asked for only where there are sheets', () => {
  expect(labelsWish(label, as({ format: 'letter', half: 'lower' })).query).toEqual({
    format: 'letter',
    first: 2,
  })
  expect(labelsWish(label, as({ format: 'letter' })).query).toEqual({ format: 'letter' })
  expect(labelsWish(label, as({ format: 'zpl', half: 'lower' })).query).toEqual({ format: 'zpl' })
  expect(testWish(as({ format: 'letter', half: 'lower' })).query).toEqual({
    format: 'letter',
    first: 2,
  })
  expect(testWish(as({ format: 'png', half: 'lower' })).query).toEqual({ format: 'png' })
})

test('some rows of a bulk order are asked for, all of them need no naming', () => {
  expect(labelsWish(bulk, as({ only: ' 12, 3 - 7 ' })).query).toEqual({ rows: '3-7,12' })
  expect(labelsWish(bulk, as({ format: 'zpl', only: '1-300' })).query).toEqual({ format: 'zpl' })
})

test('a wrong row is told before the server is asked', () => {
  expect(rowsProblem(bulk, '3-7, 301')).toBe('“301”: there is no row 301. Rows go from 1 to 300.')
  expect(rowsProblem(bulk, '3-7')).toBeNull()
  expect(rowsProblem(bulk, '  ')).toBeNull()
  expect(rowsProblem(label, 'anything')).toBeNull()
})

test('a picture holds one label', () => {
  expect(formatsOf(label)).toEqual(['pdf', 'letter', 'zpl', 'png'])
  expect(formatsOf(bulk)).toEqual(['pdf', 'letter', 'zpl'])
})
