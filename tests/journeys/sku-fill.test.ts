/** A saved SKU fills in a parcel when it has been entered, not when the beginning of its name is another SKU. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { rowsCsv } from '#contract/faulty-rows.ts'
import { addSkus, listSkus } from '#contract/skus.ts'
import type { SkuRecord } from '#contract/skus.ts'
import { rows } from '#tests/support/rows.ts'
import { findCell, grid, openTable, upload } from './bulk-page.ts'
import { saveSender, test } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { holdRequests } from './intercept.ts'
import { fill } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const A1 = { sku: 'A1', maxQty: 1, weight: 1, length: 4, width: 4, height: 4, description: '' }
const A10 = { ...A1, sku: 'A10', weight: 10, length: 20, description: 'Crate' }

/** Saves both SKUs; the returned function lists them. */
async function saveSkus({ api, token, user }: Customer): Promise<() => Promise<SkuRecord[]>> {
  const params = { userId: user._id }
  await api.call(addSkus, { params, body: { parsedData: [A1, A10] } }, token)
  return async () => (await api.call(listSkus, { params }, token)).body.SkuData
}

const NO_MEASURES = {
  PackageWeight: '',
  PackageLength: '',
  PackageWidth: '',
  PackageHeight: '',
}
test('SKUs that are saved while a table waits fill its rows', async ({ page, customer }) => {
  await saveSender(customer)
  await page.goto('/main/bulk-order')
  const table = rowsCsv(rows(3, () => ({ ...NO_MEASURES, skuNumber: 'A10' })))
  await upload(page, 'labels.csv', table)
  await expect(page.getByText('3 rows: A10 has no measures')).toBeVisible()
  await page.getByRole('link', { name: 'SKU Management' }).click()
  await page.getByRole('button', { name: 'Add New SKU' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add New SKU' })
  await fill(form, {
    SKU: 'A10',
    'Max Quantity': '1',
    'Weight (lb)': '10',
    'Length (in)': '20',
    'Width (in)': '4',
    'Height (in)': '4',
  })
  await form.getByRole('button', { name: 'Add New SKU' }).click()
  await expectToast(page, 'New SKU Data Added')
  await page.getByRole('link', { name: 'Bulk Order' }).click()
  await expectToast(page, 'Filled 3 rows from SKU Management.')
  await expect(await findCell(page, 1, 'Package', 'Weight')).toHaveText('10')
  await expect(page.getByText('A10 has no measures')).toBeHidden()
})

const cell = (page: Page, name: string) => page.locator(`tr[data-editing] [name="${name}"]`)

test('a row whose SKU begins like another one gets the measures of its own', async ({
  page,
  customer,
}) => {
  await saveSender(customer)
  const savedSkus = await saveSkus(customer)
  // All columns, also those that are empty in each row.
  await page.addInitScript(() => localStorage.setItem('evenpost.bulk-columns', '{"empty":true}'))
  await openTable(
    page,
    rows(3, () => NO_MEASURES),
  )
  const edit = (row: number) =>
    grid(page).getByRole('button', { name: 'Edit', exact: true }).nth(row).click()

  await edit(0)
  await cell(page, 'skuNumber').pressSequentially('A10')
  await expect(cell(page, 'PackageWeight')).toHaveValue('')
  await page.keyboard.press('Tab')
  await expect(cell(page, 'PackageWeight')).toHaveValue('10')
  await expect(cell(page, 'PackageLength')).toHaveValue('20')
  // Another SKU after all: what the first one has filled in is not taken for typed.
  await cell(page, 'skuNumber').fill('A1')
  await page.keyboard.press('Tab')
  await expect(cell(page, 'PackageWeight')).toHaveValue('1')
  await cell(page, 'skuNumber').fill('A10')
  const saved = page.waitForResponse('**/api/auth/add-sku/**')
  await page.keyboard.press('Enter')
  await saved
  await expect(await findCell(page, 1, 'Package', 'Weight')).toHaveText('10')

  // In a cell of its own.
  await (await findCell(page, 2, 'Order', 'SKU')).click()
  await page.keyboard.type('A10')
  const savedAgain = page.waitForResponse('**/api/auth/add-sku/**')
  await page.keyboard.press('Enter')
  await savedAgain
  await expect(await findCell(page, 2, 'Package', 'Weight')).toHaveText('10')
  expect(await savedSkus()).toMatchObject([A1, A10])
})

/** The form of one label. */
const labelForm = (page: Page) => {
  const parcel = page.getByRole('region', { name: 'Package Information' })
  const field = (name: string) => parcel.getByRole('textbox', { name, exact: true })
  return { parcel, field, sku: parcel.getByRole('combobox', { name: 'SKU' }).or(field('SKU')) }
}

test('on the form of one label a SKU fills in what is empty, and keeps what was typed', async ({
  page,
  customer,
}) => {
  await saveSkus(customer)
  await page.goto('/main/order-label')
  const { parcel, field, sku } = labelForm(page)
  await expect(parcel.locator('datalist option')).toHaveCount(2)
  await fill(parcel, { 'Weight (lb)': '9', 'Length (in)': '30' })
  await sku.pressSequentially('A1-LARGE')
  await page.keyboard.press('Tab')
  await expect(field('Weight (lb)')).toHaveValue('9')
  await expect(field('Length (in)')).toHaveValue('30')
  await expect(field('Width (in)')).toHaveValue('')

  await sku.fill('A10')
  await page.keyboard.press('Enter')
  await expect(field('Weight (lb)')).toHaveValue('9')
  await expect(field('Width (in)')).toHaveValue('4')
  await expect(parcel.getByText('Empty fields filled in from A10, the others kept')).toBeVisible()
  // Nothing was sent: what the SKU has filled in is seen first.
  await expect(page.getByText('is required')).toHaveCount(0)

  await fill(parcel, { 'Weight (lb)': '', 'Length (in)': '' })
  await sku.fill('A1')
  await page.keyboard.press('Tab')
  await expect(field('Weight (lb)')).toHaveValue('1')
  await expect(field('Length (in)')).toHaveValue('4')
  await expect(parcel.getByText('Size and weight filled in from A1')).toBeVisible()
})

test('a click right after a SKU was typed hits its target', async ({ page, customer }) => {
  await saveSkus(customer)
  await page.goto('/main/order-label')
  const { parcel, field, sku } = labelForm(page)
  await expect(parcel.locator('datalist option')).toHaveCount(2)
  await sku.fill('A10')
  const signature = parcel.getByRole('checkbox', { name: 'Require Signature' })
  await signature.click()
  await expect(field('Weight (lb)')).toHaveValue('10')
  await expect(signature).toBeChecked()
})

test('a SKU entered before the list of SKUs has arrived fills in when it does', async ({
  page,
  customer,
}) => {
  await saveSkus(customer)
  const { release } = await holdRequests(page, null, '**/api/auth/get-sku/**')
  await page.goto('/main/order-label')
  const { field, sku } = labelForm(page)
  await sku.fill('A10')
  await page.keyboard.press('Tab')
  await expect(field('Description')).toBeFocused()
  release()
  await expect(field('Weight (lb)')).toHaveValue('10')
  await expect(field('Length (in)')).toHaveValue('20')
})
