import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { initBatch, processBatch } from '#contract/batches.ts'
import { placeOrder } from '#contract/orders.ts'
import {
  dismissDeposit,
  listDepositsInReview,
  sandboxExpire,
  sandboxPayLate,
  topUp,
} from '#contract/payments.ts'
import { noonZone } from '#tests/support/backdate.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
import { visitorTest } from './customer-fixture.ts'
import { holdRequests, intercept } from './intercept.ts'
import { listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

// A server of its own, because the figures are those of the whole installation. The sandbox sells
// Priority Mail for $9.50 and costs $6.90.
type OwnServer = ServerProcess & { files: string }

const test = visitorTest.extend<object, { own: OwnServer }>({
  own: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter
    async ({}, give) => {
      const folder = await createDataFolder()
      const app = await startServer(folder.path)
      await give({ ...app, files: join(folder.path, 'files') })
      await app.stop('SIGTERM')
      await folder.forget()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ own }, give) => give(own.url),
  storageState: async ({ own }, give) => {
    const localStorage = [{ name: 'evenpost.token', value: (await own.admin()).token }]
    await give({ cookies: [], origins: [{ origin: own.url, localStorage }] })
  },
})
test.describe.configure({ mode: 'serial' })
// Today is the same day from the first journey to the last.
test.use({ timezoneId: noonZone() })

const waiting = (page: Page) => listRegion(page, 'Needs your attention')
/** What stands in the card of that name. */
const card = (page: Page, name: string) =>
  listRegion(page, 'Overview').getByRole('heading', { name, exact: true }).locator('xpath=..')

/** A deposit that was paid after its invoice had expired. */
async function payLate(
  own: OwnServer,
  { user, token }: SignedInUser,
  amount: number,
): Promise<void> {
  const {
    body: { id },
  } = await own.call(topUp, { params: { userId: user._id } }, token)
  await own.call(sandboxExpire, { params: { id } }, token)
  await own.call(sandboxPayLate, { params: { id }, body: { amount } }, token)
}

test('the figures equal the purchased labels, and the books balance', async ({ page, own }) => {
  const books = page.waitForRequest('**/api/admin/books*')
  await page.goto('/admin/dashboard')
  // Months of UTC, as those of exported statements.
  expect(new URL((await books).url()).search).toBe('')
  await expect(waiting(page)).toContainText('All clear')
  await expect(card(page, 'Liabilities')).toContainText('$0.00')

  const dana = await own.register('Dana Cole')
  await own.pay(dana, 50)
  await own.call(placeOrder, { body: singleOrderBody(dana.user._id) }, dana.token)
  await own.call(
    placeOrder,
    { body: singleOrderBody(dana.user._id, { receiver: { receiver_address2: 'SANDBOX REFUSE' } }) },
    dana.token,
  )
  await page.reload()
  await expect(card(page, 'Liabilities')).toContainText('$40.50All in user balances')
  await expect(card(page, 'Carrier balance')).toContainText('$999,993.10')
  await expect(card(page, 'Users')).toContainText('2 users joined today')
  const trade = listRegion(page, 'Sales').getByRole('row')
  const wanted = [
    'Labels 1',
    'Failure rate 50% 1 label failed',
    'Revenue $9.50',
    'Carrier cost $6.90',
    'Margin $2.60 27.4% of revenue',
    'Deposits settled $50.00 1 deposit',
    'New users 2',
  ]
  const said = async () =>
    (await trade.allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()).slice(1)
  // Three periods, in which the same has happened.
  await expect.poll(said).toEqual(
    wanted.map(line => {
      const [, name, value] = /^(\D+?) ([$\d].*)$/.exec(line)!
      return [name, value, value, value].join(' ')
    }),
  )

  await page.getByRole('button', { name: 'Check the books' }).click()
  await expect(listRegion(page, 'The books')).toContainText('The books balance')
  // Said by screen readers: the time of the check is not part of it.
  await expect(page.getByRole('status').filter({ hasText: /^The books balance$/ })).toBeAttached()
})

test('figures of the last 30 days are called so until those of 90 days are there', async ({
  page,
}) => {
  await page.goto('/admin/dashboard')
  const services = listRegion(page, 'Margin by service')
  const failures = listRegion(page, 'Failures by reason')
  await expect(services).toContainText('last 30 days')
  const { sent, release } = await holdRequests(page, 'GET', '**/api/admin/reports/trade?*days=90*')
  const trade = listRegion(page, 'Revenue, cost and margin')
  await trade.getByText('90 days', { exact: true }).click()
  await sent
  await expect(trade.getByRole('radio', { name: '90 days' })).toBeChecked()
  await expect(services).toContainText('last 30 days')
  await expect(failures).toContainText('in 30 days')
  release()
  await expect(services).toContainText('last 90 days')
  await expect(failures).toContainText('in 90 days')
})

test('a late deposit is credited from the list, once, however often the button is clicked', async ({
  page,
  own,
}) => {
  const ben = await own.register('Ben Okafor')
  await payLate(own, ben, 20)
  await page.goto('/admin/dashboard')
  await expect(waiting(page)).toContainText('1 deposit to review')
  await expect(waiting(page)).toContainText('Paid after expiry: in review')
  await page.getByRole('button', { name: 'Credit $20.00 to Ben Okafor' }).click()
  const question = page.getByRole('dialog', { name: 'Credit this deposit?' })
  await expect(question).toContainText(
    `$20.00 will be added to the balance of Ben Okafor (${ben.user.email}).`,
  )
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  const credit = page.getByRole('button', { name: 'Credit $20.00 to Ben Okafor' })
  await expect(credit).toBeFocused()

  await credit.click()
  await question.getByRole('button', { name: 'Credit $20.00' }).dblclick()
  await expectToast(page, '$20.00 of this deposit is now credited')
  await expect(question).toBeHidden()
  await expect(waiting(page)).toContainText('All clear')
  await expect(card(page, 'Liabilities')).toContainText('$60.50')
  await expect(
    listRegion(page, 'Sales').getByRole('row', { name: /^Deposits settled/ }),
  ).toContainText('$70.00')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Show labels' })).toBeFocused()
})

test('a deposit that a colleague has credited meanwhile is not credited again', async ({
  page,
  own,
  context,
}) => {
  const mei = await own.register('Mei Tanaka')
  await payLate(own, mei, 30)
  const colleague = await context.newPage()
  for (const one of [page, colleague]) {
    await one.goto('/admin/dashboard')
    await one.getByRole('button', { name: 'Credit $30.00 to Mei Tanaka' }).click()
  }
  const confirm = (one: Page) =>
    one.getByRole('dialog').getByRole('button', { name: 'Credit $30.00' })
  await confirm(colleague).click()
  await expect(colleague.getByRole('dialog')).toBeHidden()
  await confirm(page).click()
  // The list behind it has nothing more to do; the question stays and says why.
  await expect(waiting(page)).toContainText('All clear')
  const question = page.getByRole('dialog', { name: 'Credit this deposit?' })
  await expect(question.getByRole('alert')).toHaveText(
    'This deposit has no confirmed amount to credit',
  )
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(card(colleague, 'Liabilities')).toContainText('$90.50')
})

test('a late deposit that was refunded in coins is dismissed with a recorded reason', async ({
  page,
  own,
}) => {
  const olu = await own.register('Olu Adeyemi')
  await payLate(own, olu, 15)
  await page.goto('/admin/dashboard')
  await page.getByRole('button', { name: 'Dismiss: $15.00 from Olu Adeyemi' }).click()
  const question = page.getByRole('dialog', { name: 'Dismiss this deposit?' })
  await expect(question).toContainText(`$15.00 paid by Olu Adeyemi (${olu.user.email})`)
  await question.getByRole('button', { name: 'Dismiss' }).click()
  await expect(question).toContainText('Enter a reason')
  await question.getByRole('textbox', { name: 'Reason' }).fill('paid back in coins')
  await question.getByRole('button', { name: 'Dismiss' }).dblclick()
  await expectToast(page, 'The deposit was dismissed')
  await expect(question).toBeHidden()
  await expect(waiting(page)).toContainText('All clear')
  await expect(card(page, 'Liabilities')).toContainText('$90.50')
  await page.goto('/admin/audit')
  await expect(
    page.getByRole('cell', {
      name: /^Dismissed a deposit in review, invoice [\w…]+: paid back in coins/,
    }),
  ).toBeVisible()
})

test('a deposit that a colleague has dismissed meanwhile is not dismissed again, and the page says why', async ({
  page,
  own,
}) => {
  const ida = await own.register('Ida Brandt')
  await payLate(own, ida, 12)
  await page.goto('/admin/dashboard')
  await page.getByRole('button', { name: 'Dismiss: $12.00 from Ida Brandt' }).click()
  const { token } = await own.admin()
  const { body } = await own.call(listDepositsInReview, {}, token)
  const params = { id: body.deposits[0]!.invoiceId }
  await own.call(dismissDeposit, { params, body: { reason: 'paid back in coins' } }, token)
  const question = page.getByRole('dialog', { name: 'Dismiss this deposit?' })
  await question.getByRole('textbox', { name: 'Reason' }).fill('paid back')
  await question.getByRole('button', { name: 'Dismiss' }).click()
  await expect(question.getByRole('alert')).toHaveText('This deposit is not in review')
  await expect(waiting(page)).toContainText('All clear')
})

test('failed files are written again from the list', async ({ page, own }) => {
  await rm(own.files, { recursive: true, force: true })
  await writeFile(own.files, 'in the way')
  const eve = await own.register('Eve Adams')
  await own.pay(eve, 20)
  const userId = eve.user._id
  const {
    body: { orderId },
  } = await own.call(initBatch, { body: { userId } }, eve.token)
  await own.call(
    processBatch,
    { params: { userId }, body: { orderId, orderData: rows(2) } },
    eve.token,
  )
  await expect
    .poll(async () => {
      await page.goto('/admin/dashboard')
      await expect(waiting(page).locator('[aria-busy]')).toHaveCount(0)
      return waiting(page).innerText()
    })
    .toContain('1 bulk order without files')
  const again = page.getByRole('button', { name: `Rebuild files: bulk order ${orderId}` })
  await expect(waiting(page)).toContainText('2 labels · The files could not')
  await expect(waiting(page).getByRole('link', { name: 'Eve Adams' })).toHaveAttribute(
    'href',
    `/admin/user-management/${userId}/statement`,
  )

  // The server also retries by itself, so the obstacle is removed only when the button is clicked.
  await intercept(page, `**/api/admin/batches/${orderId}/files`, async route => {
    await rm(own.files)
    await route.continue()
  })
  await again.click()
  await expectToast(page, `Rebuilt the files of bulk order ${orderId}`)
  await expect(waiting(page)).toContainText('All clear')
})

test('the refund of a label that was scanned is charged back after a question', async ({
  page,
}) => {
  const scan = {
    orderId: '7',
    user: { _id: '1', name: 'Dana Cole', email: 'dana@example.com' },
    trackingNumber: '9800000000000000000012',
    status: 'in_transit',
    price: 9.5,
    refundedAt: new Date().toISOString(),
    scannedAt: new Date().toISOString(),
  }
  await intercept(page, '**/api/admin/dashboard?*', async route => {
    const response = await route.fetch()
    const json = await response.json()
    json.work.scans.count = 1
    await route.fulfill({ response, json })
  })
  await intercept(page, '**/api/admin/voided-scans?*', route =>
    route.fulfill({ json: { labels: [scan], totalCount: 1 } }),
  )
  let charges = 0
  await intercept(page, '**/api/admin/voided-scans/7/charge', route => {
    charges += 1
    return route.fulfill({ json: { message: 'Charged $9.50 back', charged: 9.5, waiting: 0 } })
  })
  await page.goto('/admin/dashboard')
  await waiting(page)
    .getByRole('button', { name: /^Charge \$9\.50 back to Dana Cole/ })
    .click()
  const question = page.getByRole('dialog', { name: 'Charge this refund back?' })
  await expect(question).toContainText(
    '$9.50 will be taken from the balance of Dana Cole (dana@example.com)',
  )
  expect(charges).toBe(0)
  await question.getByRole('button', { name: 'Charge $9.50 back' }).click()
  await expectToast(page, 'Charged $9.50 back')
  expect(charges).toBe(1)
})

test('more deposits than fit are paged', async ({ page, own }) => {
  for (let n = 1; n <= 6; n++) await payLate(own, await own.register(`Late Payer ${n}`), n)
  await page.goto('/admin/dashboard')
  await expect(waiting(page).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Show all 6' }).press('Enter')
  await expect(waiting(page).getByRole('listitem')).toHaveCount(5)
  await expect(waiting(page).getByRole('listitem').nth(3)).toBeFocused()
  const secondPage = '**/api/admin/deposits/review?*page=2*'
  await intercept(page, secondPage, route => route.fulfill({ status: 403, json: {} }))
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(waiting(page)).toContainText('We couldn’t load the deposits.')
  await page.unroute(secondPage)
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(waiting(page).getByRole('listitem')).toHaveCount(5)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(waiting(page).getByRole('listitem')).toHaveCount(1)
  await expect(waiting(page)).toContainText('Late Payer 6')
})

test('where data is missing the page says so, shows the rest, and tries again', async ({
  context,
}) => {
  // The browser complains of what is kept from it here.
  const page = await context.newPage()
  // A page in the background asks for nothing by itself, so that only a click brings what was missing.
  await page.addInitScript(() =>
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }),
  )
  const keep = (path: string) =>
    intercept(page, path, route =>
      route.fulfill({ status: 403, json: { message: 'No', error: 'No' } }),
    )
  const figures = '**/api/admin/dashboard?*'
  for (const path of [
    figures,
    '**/api/admin/deposits/review?*',
    '**/api/auth/api/balance',
    '**/api/admin/invariants',
  ])
    await keep(path)
  await page.goto('/admin/dashboard')
  await expect(page.getByText('We couldn’t load the figures.')).toBeVisible()
  await page.unroute(figures)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(waiting(page)).toContainText('6 deposits to review')
  await expect(waiting(page)).toContainText('We couldn’t load the deposits.')
  await expect(card(page, 'Carrier balance')).toContainText('We can’t reach the carrier right now.')
  await page.getByRole('button', { name: 'Check the books' }).click()
  await expect(listRegion(page, 'The books').getByRole('alert')).toHaveText('No')
  await page.unrouteAll()
  await card(page, 'Carrier balance').getByRole('button', { name: 'Try again' }).click()
  await expect(card(page, 'Carrier balance')).toContainText('Sandbox: test money')
  await waiting(page).getByRole('button', { name: 'Try again' }).click()
  await expect(waiting(page).getByRole('listitem')).toHaveCount(3)
})

test('the dashboard is accessible on every screen', async ({ page }) => {
  const { look, found } = createInspector(page, [1440, 1024, 390, 320])
  await page.goto('/admin/dashboard')
  await expect(waiting(page).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Show all 6' }).click()
  await expect(waiting(page).getByRole('listitem')).toHaveCount(5)
  await page.getByRole('button', { name: 'Check the books' }).click()
  await expect(listRegion(page, 'The books')).toContainText('The books balance')
  await look('dashboard')
  await page
    .getByRole('button', { name: /^Credit/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('question')
  expect(found).toEqual([])
})
