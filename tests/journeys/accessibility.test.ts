import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { labelDetails } from '#contract/order-details.ts'
import { placeOrder } from '#contract/orders.ts'
import { row, rows, singleOrderBody } from '#tests/support/rows.ts'
import {
  axeViolations,
  createInspector,
  horizontalOverflow,
  resize,
} from './accessibility-checks.ts'
import { test as byAdministrator } from './admin-fixture.ts'
import {
  findCell,
  expectOrderEnd,
  openTable,
  progressDialog,
  submitButton,
  submitTable,
} from './bulk-page.ts'
import { buyBulkOrder, saveSender, test } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { fillLabel } from './label-form.ts'
import { listRegion } from './page-helpers.ts'

const ROUTES = {
  'to come in and to order': [
    '/login',
    '/register',
    '/onboarding',
    '/main/dashboard',
    '/main/order-label',
    '/main/bulk-order',
  ],
  'to look things up and to pay': [
    '/main/orders',
    '/main/batch-orders',
    '/main/deposit',
    '/main/wallet',
    '/main/address',
    '/main/nowhere',
    '/help',
    '/contact',
  ],
}

const ADMIN_ROUTES = {
  'over the whole installation': () => [
    '/admin/dashboard',
    '/admin/user-management',
    '/admin/order-label-management',
    '/admin/default-services',
    '/admin/default-services#price-tables',
    '/admin/default-services#carrier-accounts',
    '/admin/default-services#loss-limits',
    '/admin/nowhere',
  ],
  'about one customer': ({ user: { _id } }: Customer) => [
    '/admin/audit',
    '/admin/referral-management',
    `/admin/user-management/${_id}/statement`,
    `/admin/user-management/${_id}/account`,
    `/admin/user-management/${_id}/account/orders`,
    `/admin/referral-management?userId=${_id}`,
    `/admin/order-label-management?userId=${_id}`,
  ],
}

/** A customer of some weeks: labels, a bulk order with failed ones, an address, a deposit. */
async function furnish(customer: Customer): Promise<void> {
  const { api, user, token } = customer
  const userId = user._id
  await saveSender(customer)
  for (let count = 0; count < 8; count++)
    await api.call(placeOrder, { body: singleOrderBody(userId) }, token)
  await api.call(
    placeOrder,
    { body: singleOrderBody(userId, { receiver: { receiver_address2: 'SANDBOX REFUSE' } }) },
    token,
  )
  await buyBulkOrder(
    customer,
    rows(5, n => ({ ToStreet2: n === 2 ? 'SANDBOX REFUSE' : '' })),
  )
}

/** The public page of a label's parcel. */
async function trackingPageOf({ api, user, token }: Customer): Promise<string> {
  const bought = await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  const params = { orderId: bought.body.data.orderId }
  const { order } = (await api.call(labelDetails, { params }, token)).body
  return order.trackingPage!
}

/** Goes to a route and waits until the page and its lists have come. */
async function visit(page: Page, route: string): Promise<void> {
  await page.goto(route)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Loading…')).toHaveCount(0)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

test.describe('on every screen, in both themes', () => {
  test.use({ dollars: 300 })
  test.beforeEach(({ customer }) => furnish(customer))

  for (const [pages, routes] of Object.entries(ROUTES)) {
    test(`the pages ${pages} are accessible`, async ({ page }) => {
      const { look, found } = createInspector(page)
      for (const route of routes) {
        await visit(page, route)
        await look(route)
      }
      expect(found).toEqual([])
    })
  }

  test('every dialog is accessible', async ({ page }) => {
    const { look, found } = createInspector(page)
    await visit(page, '/main/dashboard')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await look('account menu')
    await page.keyboard.press('Escape')
    await resize(page, 390)
    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible()
    await look('drawer', [390, 320])

    await visit(page, '/main/address')
    await page.getByRole('button', { name: 'Add Address' }).click()
    const form = page.getByRole('dialog', { name: 'Add Address' })
    await form.getByRole('button', { name: 'Add Address' }).click()
    await expect(form.getByText('Zip is required')).toBeVisible()
    await look('new address with errors')
    await page.keyboard.press('Escape')
    await listRegion(page, 'Address Book').getByRole('button', { name: 'Edit' }).click()
    await look('address in editing')

    await visit(page, '/main/batch-orders')
    const menu = listRegion(page, 'Batch Orders').getByRole('button', { name: /^More actions/ })
    await menu.click()
    await look('menu of a bulk order')
    // The list is drawn again at another width, which may close the menu.
    await page.keyboard.press('Escape')
    await menu.click()
    await page.getByRole('menuitem', { name: 'Show failed labels' }).click()
    await expect(page.getByRole('dialog', { name: '1 failed label' })).toBeVisible()
    await look('failed labels')
    expect(found).toEqual([])
  })

  test('with letters twice as large nothing is cut off or moves sideways', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    for (const route of ['/main/dashboard', '/contact']) {
      await visit(page, route)
      await expect.poll(() => horizontalOverflow(page), route).toBeLessThanOrEqual(0)
    }
    await visit(page, '/main/dashboard')
    const places = page.getByRole('navigation', { name: 'Main' })
    const cut = () => places.evaluate(box => box.scrollWidth - box.clientWidth)
    await expect.poll(cut, 'the names of the pages are whole').toBe(0)
  })

  test('paying is accessible', async ({ page }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await visit(page, '/main/deposit')
      await page.getByRole('button', { name: 'Pay with Bitcoin' }).click()
      const payment = page.getByTitle('Sandbox payment')
      await expect(
        payment.contentFrame().getByRole('button', { name: 'Pay $100.00' }),
      ).toBeVisible()
      await expect(payment.contentFrame().locator('html')).toHaveAttribute(
        'data-mantine-color-scheme',
        colorScheme,
      )
      const frame = await (await payment.elementHandle())!.contentFrame()
      for (const width of [1440, 390]) {
        await resize(page, width)
        expect(await axeViolations(frame!), `${colorScheme} at ${width} px`).toEqual([])
      }
    }
  })

  test('ordering one label and following its parcel is accessible', async ({ page, customer }) => {
    const { look, found } = createInspector(page)
    await visit(page, '/main/order-label')
    // The service of the newest label is chosen.
    await expect(page.getByRole('combobox', { name: 'Service' })).not.toHaveValue('')
    await page.getByRole('button', { name: 'Order Label' }).click()
    await expect(page.getByText('Weight is required')).toBeVisible()
    await look('label with errors')
    await fillLabel(page)
    await page.getByRole('checkbox', { name: 'Signature' }).first().check()
    await page.getByRole('checkbox', { name: 'Saturday' }).check()
    await expect(page.getByRole('list', { name: 'Price with each service' })).toContainText('$')
    await look('prices and options of a label', [1440, 320], 'form')
    await page.getByRole('button', { name: 'Order Label' }).click()
    await expect(page.getByRole('dialog', { name: 'Label Created Successfully!' })).toBeVisible()
    await look('label bought')
    await page.goto(await trackingPageOf(customer))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('USPS Priority Mail').first()).toBeVisible()
    await look('public page of a parcel', [1440, 320])
    expect(found).toEqual([])
  })

  test('ordering many labels is accessible', async ({ page }) => {
    const { look, found } = createInspector(page)
    await openTable(page, [row(1), row(2, { ToCity: '' }), row(3, { ToStreet2: 'SANDBOX REFUSE' })])
    await look('table')
    await page.getByRole('button', { name: 'Compare services' }).click()
    const prices = page.getByRole('dialog', { name: 'Compare services' })
    await expect(prices.getByText('Cheapest that fits each row').first()).toBeVisible()
    await look('compared services', [1440, 320], '[role="dialog"]')
    await page.keyboard.press('Escape')
    await expect(prices).toBeHidden()
    const cancelEditing = async (city: string) => {
      await expect(page.getByRole('textbox', { name: city, exact: true }).last()).toBeVisible()
      await look('row in editing', [page.viewportSize()!.width])
      await page.getByRole('button', { name: 'Cancel' }).last().click()
    }
    await (await findCell(page, 2, 'To', 'City')).dblclick()
    await cancelEditing('To City')
    await resize(page, 390)
    await page.getByRole('button', { name: 'Edit' }).nth(1).click()
    await cancelEditing('City')
    await page.getByRole('button', { name: 'Delete' }).first().click()
    const question = page.getByRole('dialog', {
      name: 'Are you sure you want to delete this item?',
    })
    await expect(question).toBeVisible()
    await look('question before a row is deleted')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await submitButton(page).click()
    await expect(page.getByRole('dialog', { name: 'Validation Errors' })).toBeVisible()
    await look('validation errors')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Delete' }).nth(1).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('button', { name: 'Next error' })).toBeHidden()
    await submitTable(page)
    const overlay = await expectOrderEnd(page, 'Order Processed With 1 Failed Label(s)')
    await look('overlay')
    await overlay.getByRole('button', { name: 'Minimise' }).click()
    await expect(progressDialog(page, /^Order Processed/)).toBeHidden()
    await look('small card')
    expect(found).toEqual([])
  })
})

byAdministrator.describe('the administrator, on every screen, in both themes', () => {
  byAdministrator.use({ dollars: 300 })
  byAdministrator.beforeEach(({ customer }) => furnish(customer))

  for (const [pages, routes] of Object.entries(ADMIN_ROUTES)) {
    byAdministrator(`the pages ${pages} can be used by everybody`, async ({ page, customer }) => {
      const { look, found } = createInspector(page)
      for (const route of routes(customer)) {
        await visit(page, route)
        await look(route)
      }
      await resize(page, 390)
      await page.getByRole('button', { name: 'Toggle sidebar' }).click()
      await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible()
      await look('drawer', [390, 320])
      expect(found).toEqual([])
    })
  }
})
