import { expect, test } from 'vitest'
import {
  formatsFor,
  labelDownloadRequest,
  labelsRequest,
  packingOfBatch,
  packingOfLabels,
  rowsProblem,
  testPageRequest,
} from './print-options.ts'
import type { PrintOptions } from './print-options.ts'

const label = { name: 'label for June Rivera', pdfName: 'SAMPLE-81.pdf' }
const bulk = { name: 'this bulk order', orderId: '17', rows: 300 }
const as = (part: Partial<PrintOptions> = {}): PrintOptions => ({
  format: 'pdf',
  half: 'upper',
  onlyRows: '',
  ...part,
})

test('a label as 4x6 PDF is the same download as its link', () => {
  expect(labelDownloadRequest(label, as())).toEqual({
    params: { kind: 'v2', name: 'SAMPLE-81.pdf' },
    query: {},
  })
  expect(labelDownloadRequest(bulk, as())).toEqual({
    params: { kind: 'pdf', name: '17' },
    query: {},
  })
})

test('the lower half applies only to Letter sheets', () => {
  expect(labelDownloadRequest(label, as({ format: 'letter', half: 'lower' })).query).toEqual({
    format: 'letter',
    first: 2,
  })
  expect(labelDownloadRequest(label, as({ format: 'letter' })).query).toEqual({ format: 'letter' })
  expect(labelDownloadRequest(label, as({ format: 'zpl', half: 'lower' })).query).toEqual({
    format: 'zpl',
  })
  expect(testPageRequest(as({ format: 'letter', half: 'lower' })).query).toEqual({
    format: 'letter',
    first: 2,
  })
  expect(testPageRequest(as({ format: 'png', half: 'lower' })).query).toEqual({ format: 'png' })
})

test('a request names the rows of a bulk order only if some are left out', () => {
  expect(labelDownloadRequest(bulk, as({ onlyRows: ' 12, 3 - 7 ' })).query).toEqual({
    rows: '3-7,12',
  })
  expect(labelDownloadRequest(bulk, as({ format: 'zpl', onlyRows: '1-300' })).query).toEqual({
    format: 'zpl',
  })
})

test('an invalid row number is an error before any request', () => {
  expect(rowsProblem(bulk, '3-7, 301')).toBe(
    '“301”: row 301 does not exist. This bulk order has rows 1 to 300.',
  )
  expect(rowsProblem(bulk, '3-7')).toBeNull()
  expect(rowsProblem(bulk, '  ')).toBeNull()
  expect(rowsProblem(label, 'anything')).toBeNull()
})

test('a bulk order cannot be printed as PNG', () => {
  expect(formatsFor(label)).toEqual(['pdf', 'letter', 'zpl', 'png'])
  expect(formatsFor(bulk)).toEqual(['pdf', 'letter', 'zpl'])
})

test('chosen labels are one file in the order of the choice, and never a PNG', () => {
  const chosen = { name: '2 labels', orderIds: ['81', '79'] }
  expect(formatsFor(chosen)).toEqual(['pdf', 'letter', 'zpl'])
  expect(labelsRequest(chosen, as()).query).toEqual({ ids: '81,79' })
  expect(labelsRequest(chosen, as({ format: 'letter', half: 'lower' })).query).toEqual({
    ids: '81,79',
    format: 'letter',
    first: 2,
  })
})

test('packing papers are Letter beside Letter labels, and 4x6 beside all others', () => {
  expect(packingOfBatch(bulk, as({ format: 'letter' }))).toEqual({
    params: { orderId: '17' },
    query: { format: 'letter' },
  })
  expect(packingOfLabels({ orderIds: ['81', '79'] }, as({ format: 'zpl' }))).toEqual({
    query: { ids: '81,79', format: 'pdf' },
  })
})
