import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { initBatch, processBatch } from '#contract/batches.ts'
import { placeOrder } from '#contract/orders.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { createInspector, resize } from './accessibility-checks.ts'
import { test } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { holdRequests, intercept } from './intercept.ts'
import { balance, chooseAction, colorOf, expectRows, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 50 })

const orders = (page: Page) => listRegion(page, 'Orders List')
const lineOf = (page: Page, name: string): Locator =>
  orders(page).getByRole('row').filter({ hasText: name })

/** Labels of $9.50 for these people; the second street line commands the sandbox carrier. */
async function buy({ api, user, token }: Customer, people: Record<string, string>): Promise<void> {
  for (const [name, command] of Object.entries(people)) {
    const receiver = { receiver_name: name, receiver_address2: command }
    expect(
      (await api.call(placeOrder, { body: singleOrderBody(user._id, { receiver }) }, token)).status,
    ).toBeLessThan(300)
  }
}

test('a customer voids a label and sees its money back on the statement', async ({
  page,
  customer,
}) => {
  await buy(customer, { 'June Rivera': '', 'Bo Lind': '' })
  await page.goto('/main/orders')
  await expect(balance(page)).toContainText('$31.00')
  await chooseAction(page, lineOf(page, 'June Rivera'), 'Void label', 'June Rivera')
  const question = page.getByRole('dialog', { name: 'Void this label?' })
  await expect(question).toContainText('June Rivera')
  await expect(question).toContainText('You get $9.50 back once the carrier confirms.')
  await expect(question.getByRole('list', { name: 'Steps of a void' })).toContainText(
    /We ask the carrier.*The carrier confirms.*Usually right away.*\$9\.50 is back in your balance/,
  )
  await question.getByRole('button', { name: 'Keep' }).click()
  await expect(question).toBeHidden()
  await expect(lineOf(page, 'June Rivera')).toContainText('Completed')

  await chooseAction(page, lineOf(page, 'June Rivera'), 'Void label', 'June Rivera')
  await question.getByRole('button', { name: 'Void label' }).dblclick()
  await expectToast(page, '1 label voided. $9.50 is back in your balance.')
  await expect(balance(page)).toContainText('$40.50')
  await expectRows(orders(page), [
    {
      Service: 'USPS Priority Mail',
      Receiver: /^Bo Lind/,
      Status: 'Completed',
      Price: '$9.50',
      Download: 'PDF',
    },
    { Receiver: /^June Rivera/, Status: 'Voided', Price: '$9.50 refunded', Download: '' },
  ])
  await balance(page).click()
  await expectRows(listRegion(page, 'Transactions'), [
    { Description: 'Refund for a voided label June Rivera', Amount: '+$9.50', Balance: '$40.50' },
    { Description: 'Label ordered Bo Lind', Balance: '$31.00' },
    { Description: 'Label ordered June Rivera', Balance: '$40.50' },
    { Description: 'Deposit', Balance: '$50.00' },
  ])

  await page.getByRole('link', { name: 'Refunds', exact: true }).click()
  const refunds = listRegion(page, 'Refunds')
  await expectRows(refunds, [
    {
      Label: /^June Rivera Label/,
      Status: 'Refunded',
      Amount: '$9.50',
    },
  ])
  const inspector = createInspector(page, [1280, 320])
  await inspector.look('refunds')
  expect(inspector.found).toEqual([])
  await refunds.getByText(/^Refused( \d+)?$/).click()
  await expect(refunds).toContainText('No matching refunds')
  // Nothing else has loaded the whole list.
  await page.reload()
  await expect(refunds).toContainText('No matching refunds')
  const { sent, release } = await holdRequests(page, 'GET', '**/api/wallet/*/refunds?page=1*')
  await refunds.getByRole('button', { name: 'Show all refunds' }).click()
  await sent
  await expect(refunds).toContainText('Loading refunds…')
  await expect(refunds.getByText(/^No (matching )?refunds/)).toBeHidden()
  release()
  await expectRows(refunds, [{ Label: /^June Rivera Label/, Status: 'Refunded' }])
  await refunds.getByRole('link', { name: 'June Rivera' }).click()
  await expect(page.getByRole('region', { name: 'Money' })).toContainText(/Refunded.*−\$9\.50/)
})

test('the result of each of several labels is shown, and why one was refused', async ({
  page,
  customer,
}) => {
  await buy(customer, { 'June Rivera': '', 'Nora Keeps': 'SANDBOX NOVOID', 'Bo Lind': '' })
  await page.goto('/main/orders')
  await orders(page).getByRole('checkbox', { name: 'Select all labels on this page' }).check()
  await expect(orders(page).getByText('3 labels selected, $28.50')).toBeVisible()
  const all = orders(page).getByRole('checkbox', { name: 'Select all labels on this page' })
  const dark = await colorOf(all, 'backgroundColor')
  await orders(page).getByRole('checkbox', { name: 'Select label for Bo Lind' }).uncheck()
  await expect(all).toBeChecked({ indeterminate: true })
  await expect(all, 'its dash is seen, as a tick is').toHaveCSS('background-color', dark)
  await orders(page).getByRole('button', { name: 'Void 2 labels' }).click()
  const question = page.getByRole('dialog', { name: 'Void 2 labels?' })
  await expect(question).toContainText('You get $19.00 back')
  await question.getByRole('button', { name: 'Void 2 labels' }).click()

  const outcome = page.getByRole('dialog', { name: 'Partly voided' })
  await expect(outcome).toContainText('1 label voided. $9.50 is back in your balance.')
  await expect(outcome).toContainText('1 label was not voided:')
  await expect(outcome.getByRole('listitem')).toContainText(
    /Nora Keeps.*The carrier refused to void this label/,
  )
  await expect(outcome.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(outcome).toBeHidden()
  await expect(orders(page), 'its button is gone').toBeFocused()
  await expect(orders(page).getByText(/selected/)).toHaveCount(0)
  await expectRows(orders(page), [
    { Status: 'Completed', Receiver: /^Bo Lind/ },
    {
      Status: 'Completed',
      Receiver: /^Nora Keeps/,
      'Tracking Number': /Not voided: /,
      Download: 'PDF',
    },
    { Status: 'Voided', Receiver: /^June Rivera/ },
  ])
  await expect(balance(page)).toContainText('$31.00')
})

test('when the carrier answers late the label waits, and the money comes with its answer', async ({
  page,
  customer,
}) => {
  await buy(customer, { 'June Rivera': 'SANDBOX LATE' })
  await page.goto('/main/orders')
  await expect(lineOf(page, 'June Rivera')).toContainText('Completed')
  await chooseAction(page, lineOf(page, 'June Rivera'), 'Void label', 'June Rivera')
  await page.getByRole('dialog').getByRole('button', { name: 'Void label' }).click()
  await expectToast(page, /^1 label is waiting for the carrier to confirm\./)
  await expect(lineOf(page, 'June Rivera')).toContainText('Voided')
  await expect(balance(page)).toContainText('$50.00')
})

test('labels are chosen and voided without a mouse', async ({ page, customer }) => {
  await buy(customer, { 'First Person': '', 'Second Person': '' })
  await page.goto('/main/orders')
  const box = orders(page).getByRole('checkbox', { name: 'Select label for First Person' })
  await box.focus()
  await page.keyboard.press('Space')
  await expect(orders(page).getByText('1 label selected, $9.50')).toBeVisible()
  await orders(page).getByRole('button', { name: 'Clear selection' }).focus()
  await page.keyboard.press('Enter')
  await expect(orders(page).getByText('1 label selected')).toHaveCount(0)
  await expect(
    orders(page).getByRole('checkbox', { name: 'Select all labels on this page' }),
  ).toBeFocused()

  const menu = lineOf(page, 'Second Person').getByRole('button', { name: /^More actions/ })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Void label' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Void this label?' })
  await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Void label' }).press('Enter')
  await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused()
  await question.getByRole('button', { name: 'Void label' }).press('Enter')
  await expect(lineOf(page, 'Second Person')).toContainText('Voided')
  await expect(menu).toBeFocused()
})

test.describe('with more labels than a page has', () => {
  test.use({ dollars: 100 })

  test('labels stay chosen while other pages are viewed', async ({ page, customer }) => {
    await buy(
      customer,
      Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`Person ${n + 1}`, ''])),
    )
    await page.goto('/main/orders')
    await orders(page).getByRole('checkbox', { name: 'Select label for Person 8' }).check()
    await orders(page).getByRole('button', { name: 'Next page' }).click()
    await orders(page).getByRole('checkbox', { name: 'Select label for Person 1' }).check()
    await orders(page).getByRole('button', { name: 'Void 2 labels' }).click()
    const question = page.getByRole('dialog', { name: 'Void 2 labels?' })
    await expect(question.getByRole('list').first().getByRole('listitem')).toContainText([
      'Person 8',
      'Person 1',
    ])
    await question.getByRole('button', { name: 'Void 2 labels' }).click()
    await expectToast(page, '2 labels voided. $19.00 is back in your balance.')
    await expectRows(orders(page), [{ Status: 'Voided', Receiver: /^Person 1/ }])
    await orders(page).getByRole('button', { name: 'Previous page' }).click()
    await expect(lineOf(page, 'Person 8')).toContainText('Voided')
    await expect(orders(page).getByText(/selected/)).toHaveCount(0)
  })
})

test('voiding is accessible on every screen', async ({ page, customer }) => {
  const { found, look } = createInspector(page)
  await buy(customer, { 'June Rivera': '', 'Nora Keeps': 'SANDBOX NOVOID' })
  await page.goto('/main/orders')
  for (const name of ['June Rivera', 'Nora Keeps'])
    await orders(page)
      .getByRole('checkbox', { name: `Select label for ${name}` })
      .check()
  await look('chosen labels')
  await orders(page).getByRole('button', { name: 'Void 2 labels' }).click()
  await expect(page.getByRole('dialog', { name: 'Void 2 labels?' })).toBeVisible()
  await look('question')
  await page.getByRole('dialog').getByRole('button', { name: 'Void 2 labels' }).click()
  await expect(page.getByRole('dialog', { name: 'Partly voided' })).toBeVisible()
  await look('outcome')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(orders(page).getByText(/^Not voided: /)).toBeVisible()
  await look('voided and refused')
  expect(found).toEqual([])
})

test('all unused labels of a bulk order are voided together, after a confirmation with their number and price', async ({
  page,
  customer: { api, user, token },
}) => {
  const { found, look } = createInspector(page)
  const {
    body: { orderId },
  } = await api.call(initBatch, { body: { userId: user._id } }, token)
  const orderData = rows(4, n => (n === 2 ? { ToStreet2: 'SANDBOX NOVOID' } : {}))
  expect(
    (
      await api.call(
        processBatch,
        { params: { userId: user._id }, body: { orderId, orderData } },
        token,
      )
    ).status,
  ).toBe(202)
  await page.goto('/main/batch-orders')
  const batches = listRegion(page, 'Batch Orders')
  await expectRows(batches, [{ Status: /^Completed 4 labels/ }])
  await expect(balance(page)).toContainText('$24.00')

  await chooseAction(page, batches, 'Void unused labels…')
  const dialog = page.getByRole('dialog', { name: 'Void unused labels' })
  await expect(dialog).toContainText('4 labels can be voided. You get $26.00 back')
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const menu = batches.getByRole('button', { name: /^More actions/ })
  await expect(menu).toBeFocused()
  await expect(balance(page)).toContainText('$24.00')

  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Void unused labels…' }).press('Enter')
  await expect(dialog).toContainText('4 labels can be voided.')
  await look('question about a bulk order')
  await dialog.getByRole('button', { name: 'Void 4 labels' }).dblclick()
  await expect(dialog).toContainText('3 labels are voided and refunded.')
  await expect(dialog).toContainText('1 label can be voided.')
  await expect(dialog).toContainText('The carrier has already refused to void it')
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused()
  await look('what became of it')
  await expect(balance(page)).toContainText('$43.50')
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await expectRows(batches, [
    { Status: 'Completed 4 labels, 3 voided', Price: '$6.50 of $26.00 ordered' },
  ])
  expect(found).toEqual([])
})

test('an order says where its parcel is, and a used label cannot be voided', async ({
  page,
  customer,
}) => {
  const { found, look } = createInspector(page)
  await buy(customer, { 'June Rivera': '', 'Bo Lind': '' })
  // The sandbox follows no parcels: what a carrier that does has said of them is put into the answer.
  await intercept(page, `**/api/orders/${customer.user._id}?**`, async route => {
    const response = await route.fetch()
    const body = (await response.json()) as {
      orders: { receiver: { receiver_name: string }; tracking: unknown }[]
    }
    for (const order of body.orders) {
      const status = order.receiver.receiver_name === 'June Rivera' ? 'in_transit' : 'pre_transit'
      order.tracking = { status, detail: null, at: '2026-11-20T10:00:00.000Z' }
    }
    await route.fulfill({ response, json: body })
  })
  await page.goto('/main/orders')
  const onItsWay = lineOf(page, 'June Rivera').getByRole('link', { name: 'In transit, 20-11-2026' })
  await expect(onItsWay).toHaveAttribute('href', /^https:\/\/tools\.usps\.com\/.*\d{20}/)
  await expect(lineOf(page, 'Bo Lind')).toContainText('Not shipped yet')
  await look('parcels')
  const { width } = page.viewportSize()!
  await resize(page, 390)
  const card = page.getByRole('listitem').filter({ hasText: 'June Rivera' })
  await expect(card.getByRole('link', { name: 'In transit, 20-11-2026' })).toBeVisible()
  await resize(page, width)
  await lineOf(page, 'June Rivera')
    .getByRole('button', { name: /^More actions/ })
    .click()
  const voidIt = page.getByRole('menuitem', { name: /^Void label/ })
  await expect(voidIt).toHaveAttribute('aria-disabled', 'true')
  await expect(voidIt).toContainText('This parcel is on its way')
  await page.keyboard.press('Escape')
  await chooseAction(page, lineOf(page, 'Bo Lind'), 'Void label', 'Bo Lind')
  await expect(page.getByRole('dialog', { name: 'Void this label?' })).toContainText('Bo Lind')
  expect(found).toEqual([])
})
