import { expect } from '@playwright/test'
import { AddressForm, saveAddress } from '#contract/addresses.ts'
import { test } from './customer-fixture.ts'
import { expectRows, goTo, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const form = (address_id: string, name: string) =>
  AddressForm.parse({
    address_id,
    name,
    street: '100 Congress Ave',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
  })

test('the default sender of the address book is chosen first on labels and bulk orders', async ({
  page,
  customer,
}) => {
  const params = { userId: customer.user._id }
  for (const formData of [form('Attic', 'Dana Cole'), form('Warehouse', 'Mason Trading')])
    await customer.api.call(saveAddress, { params, body: { formData } }, customer.token)

  await page.goto('/main/address')
  const book = listRegion(page, 'Address Book')
  const warehouse = book.getByRole('row', { name: /Warehouse/ })
  await warehouse.getByRole('button', { name: 'Make default' }).press('Enter')
  await expectToast(page, 'Default sender saved')
  await expect(warehouse.getByRole('button', { name: 'Clear default' })).toBeFocused()
  for (const name of ['Clear default', 'Edit', 'Delete'])
    await expect(warehouse.getByRole('button', { name })).toHaveAccessibleDescription('Warehouse')
  await expectRows(book, [{ 'Address ID': /^Attic$/ }, { 'Address ID': /^Warehouse Default$/ }])

  await goTo(page, 'Order Label')
  const sender = page.getByRole('region', { name: 'From Address' })
  await expect(sender).toContainText('Mason Trading, 100 Congress Ave, Austin, TX 78701')
  await sender.getByRole('button', { name: 'Change' }).press('Enter')
  const name = sender.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toHaveValue('Mason Trading')
  await expect(name).toBeFocused()
  await expect(sender.getByRole('combobox', { name: 'Saved address' })).toHaveValue(
    'Warehouse · Austin, TX',
  )
  await goTo(page, 'Bulk Order')
  await expect(page.getByRole('combobox', { name: 'Sender address' })).toHaveValue(/^Warehouse: /)
  await expect(page.getByRole('button', { name: 'Submit' })).toHaveAccessibleDescription(
    'Upload a file first',
  )
})
