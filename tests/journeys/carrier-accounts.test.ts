/** Two carrier accounts at stand-ins, main with $1,204.29 and backup with $3,799.52. */
import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { openTwoAccounts } from '#tests/support/two-accounts.ts'
import { createInspector } from './accessibility-checks.ts'

// In order: the tests share the server.
test.describe.configure({ mode: 'default' })

let data: Awaited<ReturnType<typeof createDataFolder>>
let accounts: Awaited<ReturnType<typeof openTwoAccounts>>
let app: ServerProcess

test.beforeAll(async () => {
  data = await createDataFolder()
  accounts = await openTwoAccounts()
  app = await startServer(data.path, accounts.env)
})
test.afterAll(async () => {
  await app?.stop('SIGTERM')
  await accounts?.close()
  await data?.forget()
})

async function operator(browser: Browser, path: string): Promise<Page> {
  const { token } = await app.admin()
  const origins = [{ origin: app.url, localStorage: [{ name: 'evenpost.token', value: token }] }]
  const context = await browser.newContext({
    baseURL: app.url,
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins },
  })
  const page = await context.newPage()
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
  const page = await operator(browser, '/admin/default-services')
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
  await expect(page.getByText('Carrier accounts saved')).toBeVisible()
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

test('a price follows what the carrier asks for each parcel', async ({ browser }) => {
  const page = await operator(browser, '/admin/default-services')
  const service = page.getByRole('group', { name: 'USPS Priority Mail', exact: true })
  await service.getByRole('button', { name: 'Price rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Price rule for USPS Priority Mail' })
  await expect(dialog.getByText('No costs of USPS Priority Mail are known.')).toBeVisible()
  await dialog.getByLabel('The carrier’s live price').check()
  await expect(dialog.getByText('Its answer counts for 24 hours')).toBeVisible()
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
  await expect(service).toContainText('The carrier is asked for the cost of each parcel.')
  expect(found).toEqual([])
})
