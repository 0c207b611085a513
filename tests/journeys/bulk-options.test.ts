/** On a server of its own: what options cost applies to everyone. */
import { expect, test } from '@playwright/test'
import { verifySession } from '#contract/accounts.ts'
import { statement } from '#contract/ledger.ts'
import { sellOptions } from '#tests/support/option-prices.ts'
import { row } from '#tests/support/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { createInspector } from './accessibility-checks.ts'
import {
  expectOrderEnd,
  findCell,
  grid,
  resultsOf,
  submitButton,
  tableFigure,
  upload,
} from './bulk-page.ts'
import { openPageOf, startOwnServer } from './own-server.ts'
import type { OwnServer } from './own-server.ts'
import { choose, clickAndDownloadText } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

let app: OwnServer

test.beforeAll(async () => {
  app = await startOwnServer()
  await sellOptions(app, { signature: 3.7, adult: 9.35, saturday: null })
})
test.afterAll(() => app.end())

/** A filled-in template with two columns beside its own. */
function fileWith(...options: [signature: string, saturday: string][]): string {
  const [header, ...lines] = csvOf(options.map((_, at) => row(at + 1))).split('\r\n')
  return [
    `${header},Signature Confirmation,Saturday Delivery`,
    ...lines.map((line, at) => `${line},${options[at]!.join(',')}`),
  ].join('\r\n')
}

test('a file asks for signatures and Saturday delivery: prices, a row that cannot have it, labels and the statement', async ({
  browser,
}) => {
  const customer = await app.register('Dana Cole')
  await app.pay(customer, 100)
  const page = await openPageOf(browser, app, customer)
  await page.goto('/main/bulk-order')
  await choose(page, page, 'Service', 'USPS Ground Advantage')
  await upload(page, 'labels.csv', fileWith(['', ''], ['yes', 'no'], ['', 'yes']))
  await expectToast(page, 'File Uploaded successfully.')

  await expect(await findCell(page, 2, 'Order', 'Service')).toContainText('+ Signature')
  await expect(await findCell(page, 1, 'Order', 'Service')).not.toContainText('+')
  await expect(await findCell(page, 2, 'Order', 'Price')).toHaveText('$10.20')
  const third = await findCell(page, 3, 'Order', 'Service')
  await expect(third).toContainText('Saturday delivery is not for sale with USPS Ground Advantage')
  await submitButton(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()

  // Its row asks for an adult signature instead.
  await third.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Signature and Saturday…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Signature and Saturday delivery for 1 row' })
  await expect(dialog).toContainText('Saturday delivery is not for sale with USPS Ground Advantage')
  await dialog.getByLabel('Saturday delivery').uncheck()
  await dialog.getByLabel('Signature').selectOption('Adult signature (21 or older)')
  await expect(dialog).toContainText('+ $9.35 for each label')
  await dialog.getByRole('button', { name: 'Set in 1 row' }).click()
  await expect(third).toContainText('+ Adult signature')
  await expect(await findCell(page, 3, 'Order', 'Price')).toHaveText('$15.85')
  await expect(tableFigure(page, 'Price')).toHaveText('$32.55')
  const { look, found } = createInspector(page, [820, 390, 1440])
  await look('rows with options and a price for each')
  expect(found).toEqual([])
  await expect(grid(page).locator('td[aria-invalid]')).toHaveCount(0)

  await submitButton(page).click()
  const end = await expectOrderEnd(page, 'Order Processed Successfully!')
  const { text } = await clickAndDownloadText(page, end.getByRole('link', { name: 'Results CSV' }))
  const results = resultsOf(text)
  expect(results.map(({ price, signature, saturday }) => [price, signature, saturday])).toEqual([
    ['6.50', '', ''],
    ['10.20', 'signature', ''],
    ['15.85', 'adult', ''],
  ])

  const { token, user } = customer
  const { body } = await app.call(verifySession, {}, token)
  expect(body.user.balance).toBe(67.45)
  const moved = await app.call(statement, { params: { userId: user._id }, query: {} }, token)
  expect(moved.body.entries.filter(({ kind }) => kind === 'hold')).toMatchObject([
    { amount: -32.55 },
  ])
  await page.goto('/main/wallet')
  await expect(page.getByText('$67.45').first()).toBeVisible()
})
