/** From the carrier's file to the customer's dispute and the credit. */
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { setAdjustmentRule } from '#contract/adjustments.ts'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createInspector, resize } from './accessibility-checks.ts'
import { test } from './admin-fixture.ts'
import { holdRequests } from './intercept.ts'
import { expectRows, fill, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 10 })

// In order: a preview of adjustments ends with a change of the rules, which are of all customers.
test.describe.configure({ mode: 'default' })

/** The dialog of a customer's rule, where a limit is to be typed. */
async function openLimitFor(page: Page, email: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Rule for a customer' }).click()
  const rule = page.getByRole('dialog', { name: 'Who pays for one customer' })
  await rule.getByRole('combobox', { name: 'Customer' }).fill(email)
  await page.getByRole('option', { name: email }).click()
  await rule.getByRole('radio', { name: 'Pass on up to a limit' }).check()
  return rule
}

test('a correction of the carrier is checked, charged, disputed and credited back', async ({
  page,
  admin,
  customer: { api, user, token },
  browser,
  baseURL,
}) => {
  const body = { userId: user._id, rule: 'pass_on' as const, limit: null }
  await api.call(setAdjustmentRule, { body }, admin.token)
  const { data } = (await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)).body
  const { look, found } = createInspector(page, [1440])

  await page.goto('/admin/adjustments')
  await page.getByRole('button', { name: 'Change rule' }).click()
  await expect(page.getByRole('dialog').getByRole('radio', { checked: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Rule for a customer' }).click()
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Customer' })).toBeFocused()
  await page.keyboard.press('Escape')
  const upload = async (text: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload file' }).click()
    const file = { name: 'invoice.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await (await chooser).setFiles(file)
  }
  const head = 'tracking_number,amount,date,declared_weight_oz,measured_weight_oz\n'
  await upload(`${head}${data.trackingNumber},much,2026-11-20,32,50\n`)
  await expect(page.getByText(`'much' is not a valid amount`)).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  const file = `${head}${data.trackingNumber},2.25,2026-11-20,32,50\n`
  await upload(file)
  const dialog = page.getByRole('dialog', { name: 'Check the adjustments' })
  await expect(dialog.getByRole('row', { name: user.name })).toContainText('$0.50$1.75')
  await look('the preview', [320])
  await resize(page, 320)
  await expect(dialog.getByRole('columnheader', { name: 'Reason' })).toBeAttached()
  await resize(page, 1440)
  await dialog.getByRole('button', { name: 'Apply adjustments' }).dblclick()
  await expect(dialog).toBeHidden()
  await upload(file)
  await expect(dialog.getByText('Every line of this file was uploaded before')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()

  const localStorage = [{ name: 'evenpost.token', value: token }]
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [{ origin: baseURL!, localStorage }] },
  })
  const theirs = await context.newPage()
  await theirs.goto(`${baseURL}/main/wallet`)
  await expect(theirs.getByText('$1.75 in carrier adjustments is still due')).toBeVisible()
  await theirs.goto(`${baseURL}/main/deposit`)
  await expect(theirs.getByText('$1.75 in carrier adjustments is still due')).toBeVisible()
  await theirs.getByLabel('Amount in US dollars').fill('50')
  await expect(theirs.getByText('Balance afterwards: $48.25')).toBeVisible()
  await theirs.goto(`${baseURL}/main/wallet`)
  const movements = listRegion(theirs, 'Transactions')
  await movements.getByRole('button', { name: 'Show measurements' }).click()
  await expect(movements.getByRole('row', { name: 'Weight 32 oz 50 oz' })).toBeVisible()
  await movements.getByRole('button', { name: 'Dispute the adjustment' }).click()
  await expect(theirs.getByLabel('What’s wrong with this charge?')).toBeFocused()
  await theirs.getByLabel('What’s wrong with this charge?').fill('It weighs 2 lb')
  await theirs.getByRole('button', { name: 'Send dispute' }).click()
  await expect(movements.getByText('Under review')).toBeVisible()
  // On a phone the table has the whole card: its heads stay on one line.
  await resize(theirs, 390)
  await movements.getByRole('button', { name: 'Show measurements' }).click()
  const heightOf = async (cell: Locator): Promise<number> => (await cell.boundingBox())!.height
  const name = movements.getByRole('columnheader', { name: 'Measurement' })
  const weight = movements.getByRole('rowheader', { name: 'Weight' })
  await expect.poll(async () => (await heightOf(name)) - (await heightOf(weight))).toBeCloseTo(0, 0)
  await resize(theirs, 1440)

  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: 'Open disputes' }).click()
  const list = listRegion(page, 'Carrier adjustments')
  await expect(list.getByText('Dispute: It weighs 2 lb')).toBeVisible()
  await look('the list')
  // In a narrow window the rows are cards; what is typed about one of them stays.
  await list.getByRole('button', { name: /^Decline/ }).click()
  const answer = page.getByRole('textbox', { name: 'Answer to the customer' })
  await answer.fill('Our scale was checked')
  await resize(page, 900)
  await expect(answer).toHaveValue('Our scale was checked')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await expect(question).toContainText('What you typed isn’t saved.')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(answer).toBeHidden()
  await resize(page, 1440)
  await list
    .getByRole('button', { name: `Credit back the adjustment of label ${data.orderId}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Credit back' }).click()
  await expectToast(page, 'The adjustment was credited back')

  await theirs.goto(`${baseURL}/main/wallet`)
  await expectRows(movements, [
    { Description: /^Carrier credit/, Amount: '+$0.50', Balance: '$0.50' },
    { Description: /^Carrier adjustment/, Amount: '\u2212$0.50', Balance: '$0.00' },
    { Description: /^Label ordered/ },
    { Description: 'Deposit' },
  ])
  await context.close()

  await page.goto('/admin/adjustments')
  const rule = await openLimitFor(page, user.email)
  await rule.getByRole('textbox', { name: 'Limit per label' }).fill('2.50')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${user.name} (${user.email}): charged up to $2.50`)).toBeVisible()
  expect(found).toEqual([])
})

test('the rule of a customer is removed once, and the keyboard stays beside it', async ({
  page,
  admin,
  customer: { api, user },
}) => {
  const body = { userId: user._id, rule: 'absorb' as const, limit: null }
  await api.call(setAdjustmentRule, { body }, admin.token)
  await page.goto('/admin/adjustments')
  const rules = page.getByRole('group', { name: 'Who pays', exact: true })
  const rule = rules.getByRole('listitem').filter({ hasText: user.email })
  const remove = rule.getByRole('button', { name: `Remove the rule of ${user.name}` })
  const { sent, release } = await holdRequests(page, 'PUT', '**/api/admin/adjustment-rules')
  await remove.click()
  const question = page.getByRole('dialog', { name: 'Remove this rule?' })
  await expect(question).toContainText(`For ${user.name}, the rule for all customers will apply`)
  const confirm = question.getByRole('button', { name: 'Remove' })
  await confirm.click()
  await sent
  await expect(confirm).toHaveAttribute('aria-busy', 'true')
  release()
  await expectToast(page, `The rule of ${user.name} was removed`)
  await expect(rule).toBeHidden()
  await expect(rules).toBeFocused()
})

test('the rule of a customer stays open with the limit that was typed during its save', async ({
  page,
  customer: { user },
}) => {
  await page.goto('/admin/adjustments')
  const rule = await openLimitFor(page, user.email)
  const { sent, release } = await holdRequests(page, 'PUT', '**/api/admin/adjustment-rules')
  await fill(rule, { 'Limit per label': '2.50' })
  await page.keyboard.press('Enter')
  await sent
  await fill(rule, { 'Limit per label': '3.00' })
  release()
  await expect(page.getByText(`(${user.email}): charged up to $2.50`)).toBeVisible()
  await expect(rule.getByRole('textbox', { name: 'Limit per label' })).toHaveValue('$3.00')
  const save = rule.getByRole('button', { name: 'Save' })
  await expect(save).not.toHaveAttribute('aria-disabled')
  await save.click()
  await expect(rule).toBeHidden()
  await expect(page.getByText(`(${user.email}): charged up to $3.00`)).toBeVisible()
})
