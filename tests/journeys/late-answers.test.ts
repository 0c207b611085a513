/** Answers that come late or not at all, and changes by others while a page is open. */
import { expect } from '@playwright/test'
import { login, saveAccount } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import { AddressForm, saveAddress } from '#contract/addresses.ts'
import { addSkus, listSkus } from '#contract/skus.ts'
import { rows } from '#tests/support/rows.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { openTable } from './bulk-page.ts'
import { saveSender, test } from './customer-fixture.ts'
import { holdRequests, intercept } from './intercept.ts'
import { fillLabel } from './label-form.ts'
import { choose, fill, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const MUG = {
  sku: 'MUG-1',
  maxQty: 12,
  weight: 1,
  length: 2,
  width: 3,
  height: 4,
  description: 'Enamel mug',
}

test('a new SKU does not replace a record while the list could not be loaded', async ({
  page,
  customer,
}) => {
  const params = { userId: customer.user._id }
  await customer.api.call(addSkus, { params, body: { parsedData: [MUG] } }, customer.token)
  const records = '**/api/auth/get-sku/**'
  await intercept(page, records, route => route.fulfill({ status: 503, json: {} }))
  await page.goto('/main/sku')
  await page.getByRole('button', { name: 'Add New SKU' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add New SKU' })
  await fill(form, {
    SKU: 'MUG-1',
    'Max Quantity': '1',
    'Weight (lb)': '9',
    'Length (in)': '9',
    'Width (in)': '9',
    'Height (in)': '9',
  })
  await page.unroute(records)
  await form.getByRole('button', { name: 'Add New SKU' }).click()
  await expect(form.getByText('This SKU already exists')).toBeVisible()
  const { SkuData } = (await customer.api.call(listSkus, { params }, customer.token)).body
  expect(SkuData).toMatchObject([MUG])
})

test('an edited row keeps the largest quantity of its SKU while the records could not be loaded', async ({
  page,
  customer,
}) => {
  await saveSender(customer)
  const params = { userId: customer.user._id }
  await customer.api.call(addSkus, { params, body: { parsedData: [MUG] } }, customer.token)
  // All columns, also those that are empty in each row.
  await page.addInitScript(() => localStorage.setItem('evenpost.bulk-columns', '{"empty":true}'))
  await openTable(page, rows(1))
  const records = '**/api/auth/get-sku/**'
  await intercept(page, records, route => route.fulfill({ status: 503, json: {} }))
  await page.reload()
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await page.locator('tr[data-editing] [name="skuNumber"]').fill('MUG-1')
  await page.locator('tr[data-editing] [name="PackageWeight"]').fill('2')
  await page.unroute(records)
  const saved = page.waitForResponse('**/api/auth/add-sku/**')
  await page.keyboard.press('Enter')
  await saved
  const { SkuData } = (await customer.api.call(listSkus, { params }, customer.token)).body
  expect(SkuData).toMatchObject([{ sku: 'MUG-1', maxQty: 12, weight: 2 }])
})

test('a late answer about one address ends no edit of another, and a new password brings no old name back', async ({
  page,
  customer,
}) => {
  const params = { userId: customer.user._id }
  for (const address_id of ['Attic', 'Warehouse']) {
    const formData = AddressForm.parse({
      address_id,
      name: 'Dana Cole',
      street: '100 Congress Ave',
      city: 'Austin',
      state: 'TX',
      zip: '78701',
    })
    await customer.api.call(saveAddress, { params, body: { formData } }, customer.token)
  }
  await page.goto('/main/address')
  const book = listRegion(page, 'Address Book')
  const company = book.getByRole('textbox', { name: 'Company' })
  const edit = (id: RegExp) =>
    book.getByRole('row', { name: id }).getByRole('button', { name: 'Edit', exact: true }).click()
  const held = await holdRequests(page, null, '**/api/auth/update-address/**')
  await edit(/Attic/)
  await company.fill('Attic Ltd')
  await book.getByRole('button', { name: 'Save' }).click()
  await expect(book.getByRole('button', { name: 'Cancel' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await edit(/Warehouse/)
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await company.fill('Typed into the other row')
  held.release()
  await expect(book.getByText('Attic Ltd')).toBeVisible()
  await expect(company).toHaveValue('Typed into the other row')

  await page.goto('/main/account')
  await page.getByRole('button', { name: 'Change password' }).click()
  await customer.api.call(saveAccount, { params, body: { name: 'Dana Renamed' } }, customer.token)
  const password = 'another long passphrase'
  await page.getByLabel('Current Password').fill(PASSWORD)
  await page.locator('input[name="password"]').fill(password)
  await page.locator('input[name="password"]').press('Enter')
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Dana Renamed')
  const { body } = await customer.api.call(login, {
    body: { email: customer.user.email, password },
  })
  expect((body as SignedIn).user.name).toBe('Dana Renamed')
})

test('a row can be closed when its save gets no answer for long', async ({ page, customer }) => {
  await saveSender(customer)
  await page.clock.install()
  await page.goto('/main/address')
  const book = listRegion(page, 'Address Book')
  const company = book.getByRole('textbox', { name: 'Company' })
  const edit = async (text: string) => {
    await book.getByRole('button', { name: 'Edit', exact: true }).click()
    await company.fill(text)
  }
  const held = await holdRequests(page, null, '**/api/auth/update-address/**')
  await edit('Dock 4')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await book.getByRole('button', { name: 'Save' }).click()
  const cancel = book.getByRole('button', { name: 'Cancel' })
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await page.clock.runFor(10_000)
  await expect(cancel).not.toHaveAttribute('aria-disabled')
  await cancel.click()
  await expect(cancel).toBeHidden()
  await expect(book.getByText('Dock 4')).toBeHidden()
  await page.clock.resume()

  // The late answer does not close the row that was opened again, and its save comes second.
  await edit('Dock 5')
  held.release()
  await expectToast(page, 'Address updated successfully!')
  await expect(company).toHaveValue('Dock 5')
  await book.getByRole('button', { name: 'Save' }).click()
  await expect(book.getByText('Dock 5')).toBeVisible()
})

test('the next SKU and the next address can be typed while one is being added', async ({
  page,
  customer,
}) => {
  await saveSender(customer)
  await page.clock.install()
  await page.goto('/main/sku')
  const skuForm = page.getByRole('dialog', { name: 'Add New SKU' })
  const addSku = page.getByRole('button', { name: 'Add New SKU' }).first()
  await addSku.click()
  await fill(skuForm, {
    SKU: 'MUG-1',
    'Max Quantity': '1',
    'Weight (lb)': '9',
    'Length (in)': '9',
    'Width (in)': '9',
    'Height (in)': '9',
  })
  const sku = await holdRequests(page, null, '**/api/auth/add-sku/**')
  // The panel can be closed after 10 seconds without an answer.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await skuForm.getByRole('button', { name: 'Add New SKU' }).click()
  const cancel = skuForm.getByRole('button', { name: 'Cancel' })
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await page.clock.runFor(10_000)
  await cancel.click()
  await page.clock.resume()
  await expect(skuForm).toBeHidden()
  await addSku.click()
  await fill(skuForm, { SKU: 'MUG-2', 'Weight (lb)': '3' })
  sku.release()
  await expectToast(page, 'New SKU Data Added')
  await expect(skuForm.getByRole('textbox', { name: 'SKU' })).toHaveValue('MUG-2')
  await skuForm.getByRole('button', { name: 'Add New SKU' }).click()
  await expect(skuForm).toBeHidden()
  await expect(page.getByRole('row', { name: /MUG-2/ })).toBeVisible()

  await page.goto('/main/address')
  await page.getByRole('button', { name: 'Add Address' }).click()
  const form = page.getByRole('dialog', { name: 'Add Address' })
  await fill(form, {
    'Address ID': 'Attic',
    Name: 'Dana Cole',
    Street: '100 Congress Ave',
    City: 'Austin',
    Zip: '78701',
  })
  await choose(page, form, 'State', 'TX · Texas')
  const asDefault = form.getByRole('checkbox')
  await asDefault.check()
  const address = await holdRequests(page, null, '**/api/auth/save-address/**')
  await form.getByRole('button', { name: 'Add Address' }).click()
  await expect(form.getByRole('button', { name: 'Cancel' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await fill(form, { 'Address ID': 'Cellar' })
  address.release()
  await expect(form.getByRole('button', { name: 'Cancel' })).not.toHaveAttribute('aria-disabled')
  await expect(form.getByRole('textbox', { name: 'Address ID' })).toHaveValue('Cellar')
  await expect(asDefault).not.toBeChecked()
})

test('on a phone an address that is being saved can no longer be canceled', async ({
  page,
  customer,
}) => {
  await saveSender(customer)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.clock.install()
  await page.goto('/main/address')
  const held = await holdRequests(page, null, '**/api/auth/update-address/**')
  await page.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const sheet = page.getByRole('dialog', { name: 'Edit Address' })
  await sheet.getByRole('textbox', { name: 'Company' }).fill('Dock 4')
  // The sheet can be closed after 10 seconds without an answer, so the clock of the page is stopped.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await sheet.getByRole('button', { name: 'Save' }).click()
  for (const name of ['Cancel', 'Close'])
    await expect(sheet.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.clock.resume()
  held.release()
  await expect(sheet).toBeHidden()
  await expect(page.getByText('Dock 4')).toBeVisible()
})

test('a session that was renewed in another tab keeps what is typed while the server is out of reach', async ({
  page,
  customer,
}) => {
  await page.goto('/main/address')
  const id = page.getByRole('textbox', { name: 'Address ID' })
  // An address that is read late keeps what is typed meanwhile.
  const table = await holdRequests(page, null, '**/zip-places*')
  await page.getByRole('button', { name: 'Paste an address' }).click()
  await page
    .getByRole('textbox', { name: 'Address to paste' })
    .fill('June Rivera 2210 E Olive Ave Fresno CA 93701')
  await page.getByRole('button', { name: 'Fill in the fields' }).click()
  await id.fill('Warehouse')
  table.release()
  await expect(page.getByRole('textbox', { name: 'City' })).toHaveValue('Fresno')
  await expect(id).toHaveValue('Warehouse')

  const { email } = customer.user
  const { body } = await customer.api.call(login, { body: { email, password: PASSWORD } })
  const check = '**/api/auth/verify'
  const failed = page.waitForEvent('requestfailed')
  await intercept(page, check, route => route.abort())
  const other = await page.context().newPage()
  await other.goto('/help')
  await other.evaluate(
    token => localStorage.setItem('evenpost.token', token),
    (body as SignedIn).token,
  )
  await failed
  await expect(id).toHaveValue('Warehouse')
  // The page asks again by itself, perhaps while the rule is being removed; a request without an answer does not count.
  const answered = page.waitForResponse(check)
  await page.unroute(check)
  await answered
  await expect(id).toHaveValue('Warehouse')
})

test.describe('with money', () => {
  test.use({ dollars: 20 })

  test('the next receiver can be typed while a label is being bought', async ({ page }) => {
    await page.goto('/main/order-label')
    await fillLabel(page)
    const answer = await holdRequests(page, 'POST', '**/api/orders/v2')
    // Prices are asked for by POST too.
    const sent = page.waitForRequest(
      request => request.method() === 'POST' && request.url().endsWith('/api/orders/v2'),
    )
    await page.getByRole('button', { name: 'Order Label' }).click()
    await sent
    const receiver = page.getByRole('region', { name: 'To Address' })
    await fill(receiver, { Name: 'Ida Holm' })
    answer.release()
    const bought = page.getByRole('dialog', { name: 'Label Created Successfully!' })
    await expect(bought).toContainText('$9.50')
    await bought.getByRole('button', { name: 'Close' }).click()
    await expect(receiver.getByRole('textbox', { name: 'Name' })).toHaveValue('Ida Holm')
    await expect(receiver.getByRole('textbox', { name: 'Street', exact: true })).toHaveValue(
      '2210 E Olive Ave',
    )
    await expect(page.getByRole('button', { name: 'Order Label' })).toBeVisible()
  })
})
