/** What is typed into a form while it is being saved. */
import { expect } from '@playwright/test'
import { addSkus } from '#contract/skus.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { saveSender, test } from './customer-fixture.ts'
import { holdRequests } from './intercept.ts'
import { choose, fill, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const MUG = { sku: 'MUG', maxQty: 1, weight: 1, length: 2, width: 3, height: 4, description: '' }

test('a row of the address book or of the SKUs stays open with what was typed during its save', async ({
  page,
  customer,
}) => {
  await saveSender(customer)
  const { api, token, user } = customer
  const params = { userId: user._id }
  await api.call(addSkus, { params, body: { parsedData: [MUG] } }, token)
  const lists = [
    {
      path: '/main/address',
      title: 'Address Book',
      field: 'Company',
      call: '**/api/auth/update-address/**',
      done: 'Address updated successfully!',
    },
    {
      path: '/main/sku',
      title: 'SKU Data Management',
      field: 'Description',
      call: '**/api/auth/update-sku/**',
      done: 'Row updated successfully!',
    },
  ]
  for (const { path, title, field, call, done } of lists) {
    await page.goto(path)
    const list = listRegion(page, title)
    const text = list.getByRole('textbox', { name: field, exact: true })
    const { sent, release } = await holdRequests(page, 'POST', call)
    await list.getByRole('button', { name: 'Edit', exact: true }).click()
    await text.fill('First text')
    await list.getByRole('button', { name: 'Save' }).click()
    await sent
    await text.fill('Second text')
    release()
    await expectToast(page, done)
    await expect(text).toHaveValue('Second text')
    await list.getByRole('button', { name: 'Save' }).click()
    await expect(text).toBeHidden()
    await expect(list.getByText('Second text')).toBeVisible()
  }
})

test('the next address can be typed while the first one is being saved', async ({ page }) => {
  await page.goto('/main/address')
  await fill(page, {
    'Address ID': 'Attic',
    Name: 'Dana Cole',
    Street: '100 Congress Ave',
    City: 'Austin',
    Zip: '78701',
  })
  await choose(page, page.getByRole('main'), 'State', 'TX · Texas')
  const { sent, release } = await holdRequests(page, 'POST', '**/api/auth/save-address/**')
  const add = page.getByRole('button', { name: 'Add Address' })
  await add.click()
  await sent
  await fill(page, { 'Address ID': 'Cellar', Street: '200 Congress' })
  release()
  await expectToast(page, 'Address added successfully!')
  const next = page.getByRole('dialog', { name: 'Add Address' })
  const street = next.getByRole('textbox', { name: 'Street', exact: true })
  await expect(street).toBeFocused()
  await page.keyboard.type(' Ave')
  await expect(street).toHaveValue('200 Congress Ave')
  await expect(next.getByRole('textbox', { name: 'Address ID' })).toHaveValue('Cellar')
  await expect(next.getByRole('textbox', { name: 'City' })).toHaveValue('Austin')
  await next.getByRole('button', { name: 'Add Address' }).click()
  await expect(next).toBeHidden()
  await expect(add).toBeFocused()
  const book = listRegion(page, 'Address Book')
  await expect(book.getByRole('row', { name: /Attic/ })).toContainText('Default')
  await expect(book.getByRole('row', { name: /Cellar/ })).toBeVisible()
  await add.click()
  await expect(next.getByRole('textbox', { name: 'Address ID' })).toHaveValue('')
})

test('a name that is corrected while it is being saved stays corrected', async ({ page }) => {
  await page.goto('/main/account')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const { sent, release } = await holdRequests(page, 'PUT', '**/api/auth/account/**')
  await name.fill('Dana Coel')
  await name.press('Enter')
  await sent
  // As it was saved before: the correction must be sent too.
  await name.fill('Dana Cole')
  release()
  await expectToast(page, 'Account updated successfully!')
  await expect(name).toHaveValue('Dana Cole')
  const save = page.locator('form').filter({ has: name }).getByRole('button', { name: 'Save' })
  await expect(save).not.toHaveAttribute('aria-disabled')
  await save.click()
  await expectToast(page, 'Account updated successfully!')
  await page.reload()
  await expect(name).toHaveValue('Dana Cole')
})

test('a webhook stays open with what was typed while it was being saved', async ({
  page,
  customer: { api, user, token },
}) => {
  const [first, second, third] = [1, 2, 3].map(n => `https://hooks.example.com/${n}`) as [
    string,
    string,
    string,
  ]
  const params = { userId: user._id }
  await api.call(createWebhook, { params, body: { url: first, types: ['label.bought'] } }, token)
  await page.goto('/main/account#webhooks')
  const section = page.getByRole('region', { name: 'Webhooks' })
  await section.getByRole('button', { name: `Actions of ${first}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
  const { sent, release } = await holdRequests(page, 'PUT', '**/api/webhooks/*/*')
  await fill(dialog, { URL: second })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await sent
  await fill(dialog, { URL: third })
  release()
  await expectToast(page, 'Webhook saved')
  await expect(section.getByText(second)).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveValue(third)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(section.getByText(third)).toBeVisible()
})

test('what is added to a message to support while it is being sent stays in the form', async ({
  page,
}) => {
  await page.goto('/contact')
  const message = page.getByRole('textbox', { name: 'Message' })
  await page.getByRole('combobox', { name: 'Topic' }).selectOption('Account')
  await fill(page, { Subject: 'Printer', Message: 'My labels do not print.' })
  const { sent, release } = await holdRequests(page, 'POST', '**/api/support/messages/**')
  await page.getByRole('button', { name: 'Send message' }).click()
  await sent
  await message.fill('My labels do not print. The printer is new.')
  release()
  await expectToast(page, 'Message sent. We will reply by email.')
  await expect(message).toHaveValue('My labels do not print. The printer is new.')
})
