import { expect, test } from 'vitest'
import type { SubmittedRow } from '#contract/rows.ts'
import { importText } from '#tests/support/import-text.ts'
import { row } from '#tests/support/rows.ts'
import { toSubmittedRow } from '#web/batches/bulk/drafts/draft.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { faultyRowsCsv } from './faulty-file.ts'
import { rowValidatorFor } from './validation.ts'

const SERVICES = [
  { name: 'USPS Ground Advantage', uid: 'usps_ground_advantage' },
  { name: 'USPS Priority Mail', uid: 'usps_priority' },
]
const validate = rowValidatorFor(undefined, false)

/** The rows as they are sent after their file was corrected and uploaded. */
function uploadedAgain(rows: readonly SubmittedRow[], correct: (text: string) => string) {
  const faulty = rows.map((one, at): GridRow => ({
    ...one,
    id: `row-${at}`,
    line: at + 1,
    notices: [],
  }))
  const text = correct(faultyRowsCsv(faulty, validate))
  const read = importText(text, { name: 'faulty.csv', services: SERVICES, skus: [] })
  expect([read.source, read.notices, read.rows.flatMap(({ notices }) => notices)]).toEqual([
    'template',
    [],
    [],
  ])
  return read.rows.toSorted((a, b) => a.line - b.line).map(toSubmittedRow)
}

test('faulty rows that are corrected and uploaded again are the same rows, with all that their labels ask for', () => {
  const items = [
    { orderItemId: '11', sku: 'TEE', quantity: '2' },
    { orderId: '1002', orderItemId: '12', sku: 'MUG', quantity: '1', extra: { 'PO#': '7' } },
  ]
  const rows: SubmittedRow[] = [
    {
      ...row(1, {
        ToZipPostal: 'no zip',
        ToCompany: "Jo's, Inc.",
        ToPhone: '207-555-0101',
        FromCompany: '=Mason',
        orderId: '1001',
        orderItemId: '11',
        skuNumber: 'TEE',
        quantity: '3',
        PackageDescription: 'Two shirts, one mug',
        PackageReference1: 'box 7',
        PackageReference2: 'fragile',
        ServiceName: 'USPS Priority Mail',
      }),
      items,
      ToEmail: 'ana@example.com',
      signature: 'adult',
      saturday: 'yes',
    },
    {
      ...row(2, { orderId: '-1003', orderItemId: '13', quantity: '1', PackageReference1: '1' }),
      signature: 'signature',
    },
    { ...row(3, { orderItemId: 'item-2', PackageReference1: '1' }), ToEmail: 'bo@example.com' },
  ]
  const corrected = rows.with(0, { ...rows[0]!, ToZipPostal: '04101' })
  expect(uploadedAgain(rows, text => text.replace('no zip', '04101'))).toEqual(corrected)
})

test('a file of faulty rows has the courier that is to be corrected', () => {
  const wrong = row(1, { courier: 'FedEx', orderItemId: '11' })
  const correct = (text: string) => {
    expect(text).toContain(',FedEx,')
    return text.replace(',FedEx,', ',,')
  }
  expect(uploadedAgain([wrong], correct)).toEqual([{ ...wrong, courier: 'usps' }])
})

test('a file of faulty rows has columns for options and emails only where a row has any', () => {
  const plain: GridRow = { ...row(1, { ToCity: '' }), id: 'row-0', line: 1, notices: [] }
  const headOf = (one: GridRow) => faultyRowsCsv([one], validate).split('\r\n')[0]
  expect(headOf(plain)).toMatch(/,WEIGHT,REASON,SERVICE$/)
  expect(headOf({ ...plain, saturday: 'yes' })).toMatch(/,WEIGHT,SATURDAY DELIVERY,REASON,/)
})
