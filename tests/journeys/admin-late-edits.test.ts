/** What an administrator types into a form while it is being saved. */
import { expect } from '@playwright/test'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { test } from './admin-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { holdRequests, intercept } from './intercept.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 50 })

test('prices and a name of a customer’s service stay open with what was typed during their save', async ({
  page,
  customer: { user },
}) => {
  await page.goto(`/admin/user-management?search=${encodeURIComponent(user.email)}`)
  await page.getByRole('button', { name: `More actions for ${user.name}` }).click()
  await page.getByRole('menuitem', { name: 'Services and prices' }).click()
  const services = page.getByRole('dialog', { name: `Services for ${user.name}` })
  const card = services.getByRole('group', { name: 'USPS Ground Advantage', exact: true })
  await card.getByRole('button', { name: 'Edit prices' }).click()
  const prices = page.getByRole('dialog', { name: 'Prices for USPS Ground Advantage' })
  const price = prices.getByRole('textbox', { name: 'Price ($)' })
  const pricing = await holdRequests(page, 'PUT', '**/api/userServices/*/*/prices')
  await price.fill('4.25')
  await prices.getByRole('button', { name: 'Save prices' }).click()
  await pricing.sent
  await price.fill('4.50')
  pricing.release()
  await expectToast(page, 'Service prices updated successfully')
  await expect(price).toHaveValue('4.50')
  const savePrices = prices.getByRole('button', { name: 'Save prices' })
  await expect(savePrices).not.toHaveAttribute('aria-disabled')
  await savePrices.click()
  await expect(prices).toBeHidden()
  await expect(card.locator('dl').first()).toContainText('$4.50')

  const naming = await holdRequests(page, 'PUT', '**/api/userServices/*/*/name')
  await card.getByRole('button', { name: /^More actions for / }).click()
  await page.getByRole('menuitem', { name: 'Edit name' }).click()
  const name = services.getByRole('textbox', { name: 'Service name' })
  await name.fill('Slow mail')
  await name.press('Enter')
  await naming.sent
  await name.fill('Cheap mail')
  naming.release()
  await expectToast(page, 'Service name updated successfully')
  await expect(name).toHaveValue('Cheap mail')
  const saveName = services.getByRole('button', { name: 'Save', exact: true })
  await expect(saveName).not.toHaveAttribute('aria-disabled')
  await saveName.click()
  await expect(services.getByRole('group', { name: 'Cheap mail', exact: true })).toBeVisible()
})

test('a referral code that is typed while another one is saved stays, and so does the keyboard', async ({
  page,
  customer: { user },
}) => {
  await page.goto(`/admin/referral-management?userId=${user._id}`)
  const code = page.getByRole('textbox', { name: 'Referral Code' })
  const update = page.getByRole('button', { name: 'Update Referral Code' })
  const { sent, release } = await holdRequests(page, 'POST', '**/api/auth/users/details/**')
  await code.fill(`summer-${user._id}`)
  await code.press('Enter')
  await sent
  await code.fill(`autumn-${user._id}`)
  release()
  await expectToast(page, 'Referral code updated successfully')
  await expect(code).toHaveValue(`autumn-${user._id}`)
  await expect(code).toBeFocused()
  await expect(update).not.toHaveAttribute('aria-disabled')
  await code.press('Enter')
  await expect(code).toHaveValue(`AUTUMN-${user._id}`)
  await expect(code).toBeFocused()
  await page.reload()
  await expect(code).toHaveValue(`AUTUMN-${user._id}`)
})

/** A label of the customer, bought now. */
async function buyLabel({ api, user, token }: Customer): Promise<string> {
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  const params = { userId: user._id }
  const { orders } = (await api.call(listOrders, { params, query: { limit: 1 } }, token)).body
  return orders[0]!._id
}

test('a charge that could not be given back is asked about afresh when the question is opened again', async ({
  page,
  customer,
}) => {
  const orderId = await buyLabel(customer)
  await intercept(page, `**/api/admin/orders/${orderId}`, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), scanCharge: 9.5 } })
  })
  await intercept(page, `**/api/admin/voided-scans/${orderId}/return`, route =>
    route.fulfill({ status: 409, json: { message: 'The carrier is still being asked' } }),
  )
  await page.goto(`/admin/order-label-management/${orderId}`)
  const open = page.getByRole('main').getByRole('button', { name: 'Give $9.50 back' })
  await open.click()
  const question = page.getByRole('dialog', { name: 'Give $9.50 back?' })
  await question.getByRole('textbox', { name: 'Reason' }).fill('Scanned in error')
  await question.getByRole('button', { name: 'Give $9.50 back' }).click()
  await expect(question.getByRole('alert')).toHaveText('The carrier is still being asked')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await open.click()
  await expect(question.getByRole('textbox', { name: 'Reason' })).toHaveValue('')
  await expect(question.getByRole('alert')).toBeHidden()
})

test('after a charge was given back the title of the label has the focus', async ({
  page,
  customer,
}) => {
  const orderId = await buyLabel(customer)
  let scanCharge: number | null = 9.5
  await intercept(page, `**/api/admin/orders/${orderId}`, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), scanCharge } })
  })
  await intercept(page, `**/api/admin/voided-scans/${orderId}/return`, route => {
    scanCharge = null
    return route.fulfill({ json: { message: '$9.50 is back', given: 9.5 } })
  })
  await page.goto(`/admin/order-label-management/${orderId}`)
  const open = page.getByRole('main').getByRole('button', { name: 'Give $9.50 back' })
  await open.press('Enter')
  const question = page.getByRole('dialog', { name: 'Give $9.50 back?' })
  await question.getByRole('textbox', { name: 'Reason' }).fill('Scanned in error')
  await page.keyboard.press('Enter')
  await expectToast(page, '$9.50 is back')
  await expect(question).toBeHidden()
  await expect(open).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
