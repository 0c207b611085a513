/** Two carrier accounts at stand-ins, main with $1,204.29 and backup with $3,799.52. */
import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { setUserDetails } from '#contract/accounts.ts'
import { setServiceSources } from '#contract/carriers.ts'
import { defaultServices, setDefaultServicePrices } from '#contract/catalogue.ts'
import { setLossLimit } from '#contract/loss-limits.ts'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { openTwoAccounts } from '#tests/support/two-accounts.ts'
import { createInspector } from './accessibility-checks.ts'
import { intercept } from './intercept.ts'
import { openPageOf } from './own-server.ts'
import { expectToast } from './toasts.ts'

// Each goes on from what the ones before it have set, so a retry begins at the first.
test.describe.configure({ mode: 'serial' })

let data: Awaited<ReturnType<typeof createDataFolder>>
let accounts: Awaited<ReturnType<typeof openTwoAccounts>>
let app: ServerProcess

test.beforeAll(async () => {
  data = await createDataFolder()
  accounts = await openTwoAccounts()
  // The same limit as on the other servers of journeys: a stub that stood still for a moment must not count as a carrier without an answer.
  app = await startServer(data.path, { ...accounts.env, CARRIER_TIMEOUT_MS: '12000' })
})
test.afterAll(async () => {
  await app?.stop('SIGTERM')
  await accounts?.close()
  await data?.forget()
})

async function operator(browser: Browser, path: string): Promise<Page> {
  const page = await openPageOf(browser, app, await app.admin())
  await page.goto(path)
  return page
}

const card = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Overview', exact: true })
    .getByRole('heading', { name, exact: true })
    .locator('..')

test('the dashboard shows what each carrier account has left', async ({ browser }) => {
  const page = await operator(browser, '/admin/dashboard')
  await expect(card(page, 'Carrier balance: main')).toContainText('$1,204.29')
  await expect(card(page, 'Carrier balance: backup')).toContainText('$3,799.52')
  await expect(card(page, 'Carrier balance')).toHaveCount(0)
  const { look, found } = createInspector(page, [1440, 1024, 390, 320])
  await look('two carrier accounts')
  expect(found).toEqual([])
})

test('an administrator chooses which account sells a service, and which one takes its place', async ({
  browser,
}) => {
  const page = await operator(browser, '/admin/default-services#carrier-accounts')
  const section = page.getByRole('region', { name: 'Carrier accounts', exact: true })
  await expect(section.getByText('$1,204.29')).toBeVisible()
  await expect(section.getByText('$3,799.52')).toBeVisible()
  const service = section.getByRole('group', {
    name: 'Carrier accounts of USPS Priority Mail',
    exact: true,
  })
  const save = section.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await service.getByLabel('First').selectOption({ label: 'backup (ShipEngine)' })
  await service.getByLabel('Second').selectOption({ label: 'main (EasyPost)' })
  await save.click()
  await expectToast(page, 'Carrier accounts saved')
  await page.reload()
  await expect(service.getByLabel('First')).toHaveValue('backup')
  await expect(service.getByLabel('Second')).toHaveValue('main')

  // The first account cannot replace itself.
  await service.getByLabel('First').selectOption('main')
  await expect(service.getByLabel('Second')).toHaveValue('')
  await section.getByRole('button', { name: 'Discard' }).click()
  await expect(service.getByLabel('First')).toHaveValue('backup')
  const { look, found } = createInspector(page, [1440, 1024, 390, 320])
  await look('carrier accounts')
  expect(found).toEqual([])
})

test('a choice that another administrator has changed meanwhile is told, and set only when it is saved again', async ({
  browser,
}) => {
  const page = await operator(browser, '/admin/default-services#carrier-accounts')
  await page.clock.install()
  await page.reload()
  const service = page.getByRole('group', {
    name: 'Carrier accounts of USPS Priority Mail',
    exact: true,
  })
  await expect(service.getByLabel('First')).toHaveValue('backup')
  const second = service.getByLabel('Second')
  const before = await second.inputValue()
  await second.selectOption('')
  await second.selectOption(before)
  const { token } = await app.admin()
  /** Another administrator saves these, and the page asks for the states again. */
  const saveElsewhere = async (sources: { first: string; second: string | null }) => {
    const body = { uid: 'usps:PRIORITY_MAIL', sources }
    expect((await app.call(setServiceSources, { body }, token)).status).toBe(200)
    const refreshed = page.waitForResponse(/carrier\/accounts/)
    await page.clock.runFor(31_000)
    await refreshed
  }
  // What was chosen again as it was is no change, which would hide those of others.
  await saveElsewhere({ first: 'main', second: null })
  await expect(service.getByLabel('First')).toHaveValue('main')
  await saveElsewhere({ first: 'backup', second: 'main' })
  await expect(second).toHaveValue('main')
  await second.selectOption('')
  await saveElsewhere({ first: 'main', second: 'backup' })
  const save = page
    .getByRole('region', { name: 'Carrier accounts', exact: true })
    .getByRole('button', { name: 'Save' })
  await save.click()
  await expect(service).toContainText('have changed in the meantime, to main, then backup')
  await expect(service.getByLabel('First')).toHaveValue('backup')
  await save.click()
  await expectToast(page, 'Carrier accounts saved')
  await page.reload()
  await expect(service.getByLabel('First')).toHaveValue('backup')
  await expect(service.getByLabel('Second')).toHaveValue('')
})

test('a price follows what the carrier asks for each parcel', async ({ browser }) => {
  const page = await operator(browser, '/admin/default-services')
  const service = page.getByRole('group', { name: 'USPS Priority Mail', exact: true })
  await service.getByRole('button', { name: /^More actions for / }).click()
  await page.getByRole('menuitem', { name: 'Price rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Price rule for USPS Priority Mail' })
  await expect(dialog.getByText('No costs of USPS Priority Mail are known.')).toBeVisible()
  await dialog.getByLabel('The carrier’s live price').check()
  await expect(dialog.getByText('keep the answer for 24 hours')).toBeVisible()
  await dialog.getByLabel('Percent').fill('20')
  await dialog.getByLabel('Fixed amount').fill('0.50')
  await dialog.getByLabel('To x.x9').check()
  const { look, found } = createInspector(page, [1440, 390, 320])
  await look('a live price rule')
  await dialog.getByRole('button', { name: 'Compare prices' }).click()
  const preview = page.getByRole('dialog', { name: 'Prices by rule' })
  await expect(preview.getByRole('region', { name: 'What changes' })).toContainText('live price')
  await preview.getByLabel('Reason').fill('The contract changes often')
  await preview.getByRole('button', { name: 'Set prices' }).click()
  await expect(service).toContainText('Follows the carrier’s live price for each parcel')
  expect(found).toEqual([])
})

const EXPRESS = 'USPS Priority Mail Express'

/** A customer with $500, who orders labels of a service. */
async function seller() {
  const { token } = await app.admin()
  const customer = await app.register('Dana Cole')
  const params = { userId: customer.user._id }
  await app.call(setUserDetails, { params, body: { balance: 500, reason: 'opening' } }, token)
  return (service: string) =>
    app.call(
      placeOrder,
      { body: singleOrderBody(params.userId, { service_name: service }) },
      customer.token,
    )
}
/** What the page says about an account. */
const accountCard = (page: Page, heading: string) =>
  page.getByRole('heading', { name: heading, exact: true }).locator('../..')

test('an administrator resumes an account that was paused for a loss, and the label that waited is sold', async ({
  browser,
}) => {
  const { token } = await app.admin()
  const { body: services } = await app.call(defaultServices, {}, token)
  const { _id: id, uid } = services.find(({ name }) => name === EXPRESS)!
  const setPrice = (price: number) =>
    app.call(
      setDefaultServicePrices,
      { params: { id }, body: { prices: [{ fromWeight: 1, toWeight: 70, price }] } },
      token,
    )
  // The label costs $26.10.
  expect((await setPrice(24)).status).toBe(200)
  await app.call(setLossLimit, { params: { id }, body: { maxLoss: 1 } }, token)
  const sources = { first: 'backup', second: null }
  expect((await app.call(setServiceSources, { body: { uid, sources } }, token)).status).toBe(200)
  const order = await seller()
  const lossy = await order(EXPRESS)
  expect(lossy.status, lossy.body.message).toBe(200)
  expect((await order('USPS Priority Mail')).status).toBe(202)
  expect(accounts.backup.labels).toHaveLength(1)

  const page = await operator(browser, '/admin/default-services#carrier-accounts')
  const account = accountCard(page, 'backup (ShipEngine)')
  await expect(account).toContainText('Paused')
  await expect(account).toContainText(
    'cost $2.10 more than its price; the limit of its service is $1.00. Correct the prices of the service before you resume',
  )
  await expect(accountCard(page, 'main (EasyPost)')).toContainText('Working')
  const { look, found } = createInspector(page, [1440, 1024, 390, 320])
  await look('an account that is paused for a loss')
  await setPrice(29)
  await account.getByRole('button', { name: 'Resume purchases of backup' }).click()
  await expectToast(page, 'Purchases have resumed')
  await expect(account).toContainText('Working')
  await expect(account.getByRole('button')).toHaveCount(0)
  await expect.poll(() => accounts.backup.labels.length).toBe(2)
  expect(found).toEqual([])

  // The same from the dashboard.
  await setPrice(24)
  expect((await order(EXPRESS)).status).toBe(200)
  await setPrice(29)
  await page.goto('/admin/dashboard')
  await expect(page.getByText('backup: Label')).toBeVisible()
  await page.getByRole('button', { name: 'Resume purchases' }).click()
  await expectToast(page, 'Purchases have resumed')
  await expect(page.getByText('backup: Label')).toHaveCount(0)
})

test('an administrator lets an account try again once it has money, and its label is sold', async ({
  browser,
}) => {
  const sold = () =>
    [...accounts.main.shipments.values()].filter(({ purchasedLevel }) => purchasedLevel !== null)
      .length
  const order = await seller()
  accounts.behavior.main = 'no-funds'
  void order('USPS Ground Advantage')
  const page = await operator(browser, '/admin/default-services#carrier-accounts')
  const account = accountCard(page, 'main (EasyPost)')
  await expect(async () => {
    await page.reload()
    await expect(account).toContainText('Paused', { timeout: 15_000 })
  }).toPass()
  await expect(account).toContainText('The carrier says:')
  await expect(account).toContainText('Next automatic retry:')
  const { look, found } = createInspector(page, [1440, 390, 320])
  await look('an account without money')
  // The server tries again by itself too, so the money arrives at the click only.
  await intercept(page, '**/api/admin/carrier/try?**', async route => {
    accounts.behavior.main = 'fine'
    await route.continue()
  })
  const before = sold()
  await account.getByRole('button', { name: 'Try now: main' }).click()
  await expectToast(page, 'Purchases have resumed')
  await expect.poll(sold).toBe(before + 1)
  await page.reload()
  await expect(account).toContainText('Working')
  expect(found).toEqual([])
})
