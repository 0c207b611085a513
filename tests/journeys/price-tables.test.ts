/** On a server of its own: the operator's changes apply to everyone. */
import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { createInspector } from './accessibility-checks.ts'
import { holdRequests, intercept } from './intercept.ts'
import { openPageOf, startOwnServer } from './own-server.ts'
import type { OwnServer } from './own-server.ts'
import { expectToast } from './toasts.ts'

// In order: the tests share the server and its prices.
test.describe.configure({ mode: 'default' })

let app: OwnServer

test.beforeAll(async () => {
  app = await startOwnServer()
})
test.afterAll(() => app.end())

/** The default services, before the operator. */
async function operator(browser: Browser): Promise<Page> {
  const page = await openPageOf(browser, app, await app.admin())
  await page.goto('/admin/default-services')
  return page
}

/** Each part of the page is a tab. */
const open = (page: Page, part: string) =>
  page
    .getByRole('navigation', { name: 'Parts of the page' })
    .getByRole('link', { name: part })
    .click()
const card = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
async function upload(page: Page, what: 'prices' | 'costs', text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: `Upload ${what}` }).click()
  const file = { name: `${what}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) }
  await (await chooser).setFiles(file)
}
/** Waits for the prices: a page whose list is still loading has none. */
async function pricesOn(page: Page, name: string): Promise<string[]> {
  const prices = card(page, name).getByRole('definition')
  await expect(prices).not.toHaveCount(0)
  return prices.allInnerTexts()
}

test('prices from a file are compared before they count, and undone after', async ({ browser }) => {
  const page = await operator(browser)
  const { look, found } = createInspector(page, [1440, 390])
  const express = 'USPS Priority Mail Express'
  const before = await pricesOn(page, express)
  await open(page, 'Price tables')
  await upload(page, 'prices', `service,up_to,unit,price\n${express},50,lb,31\n`)
  await expect(page.getByText('Row 2, up_to')).toBeVisible()
  await expect(page.getByRole('group', { name: 'New prices' })).toBeFocused()
  await expect(page.getByText(`The prices of ${express} end at 50 lb; add rows`)).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await upload(
    page,
    'prices',
    `service,up_to,unit,price\n${express},8,oz,21\n${express},70,lb,31\n`,
  )
  const dialog = page.getByRole('dialog', { name: 'New prices' })
  await expect(dialog.getByRole('region', { name: 'What changes' })).toContainText('from 8 oz on')
  await look('new prices')
  await dialog.getByRole('button', { name: 'Set prices' }).click()
  await expect(dialog.getByText('Reason is required')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Lighter parcels cost less')
  await dialog.getByRole('button', { name: 'Set prices' }).click()
  await expectToast(page, 'Service prices updated successfully')
  await open(page, 'Services and prices')
  await expect(card(page, express)).toContainText('2 weights, $21.00 to $31.00')

  await open(page, 'Price tables')
  await page.getByRole('button', { name: 'Go back to before this: Lighter' }).click()
  const back = page.getByRole('dialog', { name: 'Earlier prices' })
  await back.getByLabel('Reason').fill('By mistake')
  await back.getByRole('button', { name: 'Set prices' }).click()
  await expect(back).toBeHidden()
  await open(page, 'Services and prices')
  await expect(card(page, express).getByRole('definition')).toHaveText(before)
  expect(found).toEqual([])
})

test('prices are scheduled for no other day than the one that is shown', async ({ browser }) => {
  const page = await operator(browser)
  await open(page, 'Price tables')
  await upload(page, 'prices', 'service,up_to,unit,price\nUSPS Priority Mail Express,70,lb,39\n')
  const dialog = page.getByRole('dialog', { name: 'New prices' })
  await dialog.getByLabel('Reason').fill('New year')
  await dialog.getByRole('radio', { name: 'On a later day' }).check()
  const day = dialog.getByRole('textbox', { name: 'Day', exact: true })
  const year = new Date().getFullYear() + 1
  await day.fill(`15-12-${year}`)
  await day.fill(`12/20/${year}`)
  await day.press('Enter')
  await expect(dialog.getByText('Choose a day after today')).toBeVisible()
  await day.fill(`20-12-${year}`)
  await expect(dialog.getByText('Choose a day after today')).toBeHidden()
  await dialog.getByRole('button', { name: 'Open calendar' }).click()
  const calendar = page.getByRole('dialog', { name: /choose a date/ })
  await expect(calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(dialog.getByLabel('Reason')).toHaveValue('New year')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('prices that were refused are compared again, with the reason and the day that were given', async ({
  browser,
}) => {
  const page = await operator(browser)
  await open(page, 'Price tables')
  await upload(page, 'prices', 'service,up_to,unit,price\nUSPS Priority Mail Express,70,lb,39\n')
  const dialog = page.getByRole('dialog', { name: 'New prices' })
  const day = dialog.getByRole('textbox', { name: 'Day', exact: true })
  const nextDecember = `20-12-${new Date().getFullYear() + 1}`
  await intercept(page, '**/api/admin/price-tables', route =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { message: 'Prices have changed', error: 'Conflict' } })
      : route.continue(),
  )
  await dialog.getByLabel('Reason').fill('New year')
  await dialog.getByRole('radio', { name: 'On a later day' }).check()
  await day.fill(nextDecember)
  await dialog.getByRole('button', { name: 'Schedule prices' }).click()
  await expect(dialog.getByText('Prices have changed')).toBeVisible()
  await dialog.getByRole('button', { name: 'Compare again' }).click()
  await expect(dialog.getByText('Prices have changed')).toBeHidden()
  await expect(dialog.getByRole('group', { name: 'New prices' })).toBeFocused()
  await expect(dialog.getByLabel('Reason')).toHaveValue('New year')
  await expect(day).toHaveValue(nextDecember)
  await expect(dialog.getByRole('button', { name: 'Schedule prices' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('a price rule follows the costs of the operator, and a look at other prices keeps what is typed', async ({
  browser,
}) => {
  const page = await operator(browser)
  const { look, found } = createInspector(page, [1440, 390])
  const express = 'USPS Priority Mail Express'
  const uploadCosts = async (dollars: string) => {
    await open(page, 'Price tables')
    const text = `service,up_to,unit,price\n${express},2,lb,${dollars}\n${express},70,lb,30\n`
    await upload(page, 'costs', text)
    const dialog = page.getByRole('dialog', { name: 'New costs' })
    await dialog.getByLabel('Reason').fill(`Contract with ${dollars}`)
    return dialog
  }
  const dialog = await uploadCosts('6.20')
  await dialog.getByRole('button', { name: 'Set costs' }).click()
  await expectToast(page, 'Costs saved')
  await open(page, 'Services and prices')

  const openRule = async () => {
    await card(page, express)
      .getByRole('button', { name: `More actions for ${express}` })
      .click()
    await page.getByRole('menuitem', { name: 'Price rule' }).click()
  }
  await openRule()
  const rule = page.getByRole('dialog', { name: `Price rule for ${express}` })
  await rule.getByLabel('Percent').fill('2000')
  await rule.getByRole('button', { name: 'Compare prices' }).click()
  await expect(rule.getByText('Enter 0 to 1,000')).toBeVisible()
  await expect(rule.getByLabel('Percent')).toBeFocused()
  await rule.getByLabel('Percent').fill('20')
  await expect(rule.getByText('2 lb: cost $6.20 → price $7.44')).toBeVisible()
  await rule.getByRole('button', { name: 'Ask the carrier' }).click()
  await expect(rule.getByText('No label of this service was bought')).toBeVisible()
  await look('price rule')
  await rule.getByRole('button', { name: 'Compare prices' }).click()
  const preview = page.getByRole('dialog', { name: 'Prices by rule' })
  await expect(preview.getByRole('region', { name: 'What changes' })).toContainText('Cost + 20%')
  await preview.getByLabel('Reason').fill('A margin of a fifth')
  await preview.getByRole('button', { name: 'Set prices' }).click()
  await expect(card(page, express)).toContainText('By rule: Cost + 20%')

  const raised = await uploadCosts('7')
  await expect(raised.getByRole('region', { name: 'What changes' })).toContainText('$8.40')
  await look('new costs')
  await raised.getByRole('button', { name: 'Set costs' }).click()
  await expect(raised).toBeHidden()
  await open(page, 'Services and prices')
  await expect(card(page, express)).toContainText('$8.40')
  expect(found).toEqual([])

  // A look at other prices goes back to the editor.
  await openRule()
  await rule.getByLabel('Percent').fill('35')
  await rule.getByRole('button', { name: 'Compare prices' }).click()
  const byRule = page.getByRole('dialog', { name: 'Prices by rule' })
  await expect(byRule.getByRole('region', { name: 'What changes' })).toContainText('Cost + 35%')
  await byRule.getByRole('button', { name: 'Cancel' }).click()
  await expect(byRule).toBeHidden()
  await expect(rule.getByLabel('Percent')).toHaveValue('35')
  await rule.getByRole('button', { name: 'Cancel' }).click()
  await expect(rule).toBeHidden()

  await card(page, express).getByRole('button', { name: 'Edit prices' }).click()
  const editor = page.getByRole('dialog', { name: `Prices for ${express}` })
  const price = editor.getByRole('group', { name: 'Range 1' }).getByLabel('Price ($)')
  await price.fill('12')
  await editor.getByText('Price history', { exact: true }).click()
  await editor
    .getByRole('button', { name: /^Compare and restore version/ })
    .first()
    .click()
  const earlier = page.getByRole('dialog', { name: 'Earlier prices' })
  await expect(earlier).toContainText('These are the current prices. Nothing changes.')
  await earlier.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(earlier).toBeHidden()
  await expect(price).toHaveValue('12.00')
})

test('an amount that is typed while another one is saved stays', async ({ browser }) => {
  const page = await operator(browser)
  await open(page, 'Limits and extras')
  const form = page.getByRole('form', { name: 'Maximum loss per label' })
  const limit = form
    .getByRole('group', { name: 'Maximum loss per label of USPS Priority Mail', exact: true })
    .getByLabel('Maximum loss')
  const answer = await holdRequests(page, null, '**/api/defaultServices/*/losses')
  await limit.fill('1.25')
  await form.getByRole('button', { name: 'Save' }).click()
  await limit.fill('2')
  answer.release()
  await expectToast(page, 'Maximum loss saved')
  await expect(limit).toHaveValue(/^2(\.00)?$/)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('button', { name: 'Save' })).toBeHidden()
  await page.reload()
  await expect(limit).toHaveValue('2.00')
  await limit.fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('button', { name: 'Save' })).toBeHidden()
})

test('a service gets its own maximum loss per label, and loses it again', async ({ browser }) => {
  const page = await operator(browser)
  await open(page, 'Limits and extras')
  const form = page.getByRole('form', { name: 'Maximum loss per label' })
  const limit = form
    .getByRole('group', { name: 'Maximum loss per label of USPS Priority Mail', exact: true })
    .getByLabel('Maximum loss')
  const save = form.getByRole('button', { name: 'Save' })
  await limit.fill('1.25')
  await save.click()
  await expectToast(page, 'Maximum loss saved')
  await page.reload()
  await expect(limit).toHaveValue('1.25')

  await limit.fill('3')
  await form.getByRole('button', { name: 'Discard' }).press('Enter')
  await expect(limit).toHaveValue('1.25')
  await expect(form).toBeFocused()
  await limit.fill('')
  await save.press('Enter')
  await expect(save).toBeHidden()
  await expect(form).toBeFocused()
  await page.reload()
  await expect(limit).toHaveValue('')
  await expect(limit).toHaveAttribute('placeholder', 'No limit')
})

test('prices of options are set for several services with one click', async ({ browser }) => {
  const page = await operator(browser)
  await open(page, 'Limits and extras')
  const form = page.getByRole('form', { name: 'Optional extras' })
  const field = (service: string, option: string) =>
    form
      .getByRole('group', { name: `Optional extras for ${service}`, exact: true })
      .getByLabel(option, { exact: true })
  await field('USPS Priority Mail', 'Signature').fill('3.70')
  await field('USPS Ground Advantage', 'Adult signature').fill('9')
  await form.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Prices of extras saved')
  await page.reload()
  await expect(field('USPS Priority Mail', 'Signature')).toHaveValue('3.70')
  await expect(field('USPS Ground Advantage', 'Adult signature')).toHaveValue('9.00')
  for (const [service, option] of [
    ['USPS Priority Mail', 'Signature'],
    ['USPS Ground Advantage', 'Adult signature'],
  ] as const)
    await field(service, option).fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('button', { name: 'Save' })).toBeHidden()
})
