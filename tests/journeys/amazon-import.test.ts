import { expect } from '@playwright/test'
import {
  amazonReportOf,
  findCell,
  expectOrderEnd,
  tableFigure,
  grid,
  submitButton,
  upload,
} from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import {
  balance,
  choose,
  expectRows,
  fill,
  goTo,
  listRegion,
  clickAndDownloadText,
} from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const LINES = [
  { id: '111-0000001-0000001', sku: '', quantity: '1', name: 'Ada Quill' },
  { id: '111-0000002-0000002', sku: 'TEE-2', quantity: '1', name: 'Ben Otto' },
  { id: '111-0000003-0000003', sku: 'MUG-1', quantity: '1', name: 'Cleo "Bee" Park' },
  { id: '111-0000004-0000004', sku: 'MUG-1', quantity: '3', name: 'Drew Stone' },
].map(({ id, sku, quantity, name }, at) => ({
  'order-id': id,
  'order-item-id': `4400000000000${at}`,
  'buyer-phone-number': '+1 404-555-0192 ext. 04321',
  sku,
  'quantity-purchased': quantity,
  'recipient-name': name,
  'ship-address-1': `${at + 1} Huot Circle`,
  'ship-address-2': '',
  'ship-city': 'Portland',
  'ship-state': 'Maine',
  'ship-postal-code': '04101',
  'ship-country': 'US',
}))

test.use({ dollars: 50, permissions: ['clipboard-read', 'clipboard-write'] })

test('a marketplace file is completed from the address book and by SKU, ordered, and confirmed to the marketplace', async ({
  page,
}) => {
  await page.goto('/main/bulk-order')
  await upload(page, 'orders.txt', amazonReportOf(LINES))
  await expect(page.getByRole('alert').getByText('Please add an address first')).toBeVisible()

  await page.getByRole('link', { name: 'Add an address' }).click()
  const form = page.getByRole('region', { name: 'Add Address' })
  await fill(form, {
    'Address ID': 'Warehouse',
    Name: 'Mason Trading',
    Street: '100 Congress Ave',
    City: 'Austin',
    Zip: '78701',
  })
  await choose(page, form, 'State', 'TX · Texas')
  await form.getByRole('button', { name: 'Add Address' }).click()
  await expectToast(page, 'Address added successfully!')
  await expectRows(listRegion(page, 'Address Book'), [
    { 'Address ID': 'Warehouse Default', 'City, state, zip': /^Austin, TX 78701/ },
  ])

  await goTo(page, 'Bulk Order')
  await upload(page, 'orders.txt', amazonReportOf(LINES))
  const receivers = ['Drew Stone', 'Cleo "Bee" Park', 'Ben Otto', 'Ada Quill']
  for (const [at, name] of receivers.entries())
    await expect(await findCell(page, at + 1, 'To', 'Name')).toHaveText(name)
  await choose(page, page, 'Service', 'USPS Ground Advantage')
  // All rows have one sender, whose columns are folded away.
  await page.getByRole('button', { name: 'From: Mason Trading, Austin TX' }).click()
  await expect(await findCell(page, 4, 'From', 'Name')).toHaveText('Mason Trading')
  await expect(await findCell(page, 1, 'To', 'State')).toHaveText('ME')
  await expect(await findCell(page, 1, 'To', 'Phone')).toHaveText('+1 404-555-0192')
  await expect(
    page.getByText('4 row(s) have validation errors. Please check the table and fix them.'),
  ).toBeVisible()

  // One parcel of a SKU is measured: the others of it follow.
  await grid(page).getByRole('button', { name: 'Edit' }).first().click()
  for (const [label, value] of [
    ['Length', '6'],
    ['Width', '5'],
    ['Height', '4'],
    ['Weight', '1.5'],
  ] as const) {
    await grid(page).getByRole('textbox', { name: label, exact: true }).fill(value)
  }
  await page.keyboard.press('Enter')
  await expectToast(page, 'Size and weight copied to 1 other row with SKU MUG-1.')
  await expect(await findCell(page, 2, 'Package', 'Weight')).toHaveText('1.5')
  // The others come from a spreadsheet.
  await (await findCell(page, 3, 'Package', 'Weight')).click()
  await page.evaluate(() => navigator.clipboard.writeText('0.5\t10\t8\t2\r\n2.25\t12\t9\t3\r\n'))
  await page.keyboard.press('ControlOrMeta+V')
  await expectToast(page, 'Pasted into 2 rows.')
  await expect(await findCell(page, 4, 'Package', 'Weight')).toHaveText('2.25')
  await expect(page.getByRole('button', { name: 'Next error' })).toBeHidden()

  await expect(tableFigure(page, 'Price')).toHaveText('$26.00')
  await submitButton(page).click()
  const done = await expectOrderEnd(page, 'Order Processed Successfully!')
  const { name, text } = await clickAndDownloadText(
    page,
    done.getByRole('link', { name: 'Auto-Confirm' }),
  )
  expect(name).toMatch(/\.txt$/)
  const [heads, ...lines] = text
    .trimEnd()
    .split('\r\n')
    .map(line => line.split('\t'))
  expect(heads).toEqual([
    'order-id',
    'order-item-id',
    'quantity',
    'ship-date',
    'carrier-code',
    'carrier-name',
    'tracking-number',
    'ship-method',
  ])
  expect(lines.map(([order, item, quantity]) => [order, item, quantity])).toEqual([
    [LINES[3]!['order-id'], '44000000000003', '3'],
    [LINES[2]!['order-id'], '44000000000002', '1'],
    [LINES[1]!['order-id'], '44000000000001', '1'],
    [LINES[0]!['order-id'], '44000000000000', '1'],
  ])
  for (const line of lines)
    expect(line.slice(3).join(' ')).toMatch(
      /^\d{4}-\d\d-\d\d USPS {2}\d{20,} USPS Ground Advantage$/,
    )
  await done.getByRole('button', { name: 'Close' }).click()
  await expect(balance(page)).toContainText('$24.00')

  // The next file finds the SKU measured.
  await upload(page, 'orders.txt', amazonReportOf(LINES.slice(2, 3)))
  await expect(await findCell(page, 1, 'Package', 'Size')).toHaveText('6 × 5 × 4')
  await expect(page.getByRole('button', { name: 'Next error' })).toBeHidden()
})
