import { expect } from '@playwright/test'
import Papa from 'papaparse'
import { FIELDS } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { row } from '#tests/support/rows.ts'
import { expectOrderEnd, submitButton, tableFigure, upload } from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { choose } from './page-helpers.ts'

/** The template with all of its columns, order ids too. */
const fileOf = (rows: readonly BulkRow[]): string => {
  const fields = FIELDS.filter(({ name }) => name !== 'ServiceName' && name !== 'courier')
  return Papa.unparse({
    fields: fields.map(({ header }) => header),
    data: rows.map(one => fields.map(({ name }) => one[name])),
  })
}
const order = (orderId: string, item: number, cells: Partial<BulkRow>): BulkRow =>
  row(1, { orderId, orderItemId: `${orderId}-${item}`, ...cells })

const ADA = { ToRecipientName: 'Ada Quill', ToStreet1: '12 Main St' }
const LINES = [
  order('A1', 1, { ...ADA, skuNumber: 'TEE', PackageWeight: '1' }),
  order('A1', 2, { ...ADA, skuNumber: 'MUG', PackageWeight: '2' }),
  order('B2', 1, {
    ToRecipientName: 'Ben Otto',
    ToCity: 'New York',
    ToZipPostal: '10001',
    ToStateProvince: 'ME',
  }),
]

test.use({ dollars: 50 })

test('two lines of an order are one label, a wrong state is corrected, and the file is not bought twice', async ({
  page,
}) => {
  await page.goto('/main/bulk-order')
  await choose(page, page, 'Service', 'USPS Ground Advantage')
  await upload(page, 'orders.csv', fileOf(LINES))
  const one = page.getByRole('group', { name: 'One label for each' })
  await expect(one.getByRole('radio', { name: 'Line' })).toHaveAccessibleDescription(
    '3 labels, $19.50',
  )
  const byOrder = one.getByRole('radio', { name: 'Order' })
  await expect(byOrder).toHaveAccessibleDescription('2 labels, $13.00')

  const warnings = page.getByRole('region', { name: 'Warnings' })
  await expect(warnings).toContainText('1 row: ZIP is in another state')
  await warnings.getByRole('button', { name: /^Use NY/ }).click()
  await expect(warnings.getByText('ZIP is in another state')).toBeHidden()

  await byOrder.check()
  await expect(tableFigure(page, 'Count')).toHaveText('2')
  await expect(warnings).toContainText('1 row: weight is a sum; check the weight')
  await expect(tableFigure(page, 'Price')).toHaveText('$13.00')
  await submitButton(page).click()
  const done = await expectOrderEnd(page, 'Order Processed Successfully!')
  await done.getByRole('button', { name: 'Close' }).click()

  // What one label is made for is remembered.
  await upload(page, 'orders.csv', fileOf(LINES))
  await expect(byOrder).toBeChecked()
  await expect(page.getByText('2 of 2 rows already have a label')).toBeVisible()
  await submitButton(page).click()
  const question = page.getByRole('dialog')
  await expect(question.getByText('2 of 2 rows already have a label')).toBeVisible()
  await question.getByRole('button', { name: 'Leave them out' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('0')
})
