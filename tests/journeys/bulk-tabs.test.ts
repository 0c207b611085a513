/** One table in two tabs of a browser, and rows that were bought in another way. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import { initBatch, processBatch } from '#contract/batches.ts'
import { FIELDS } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { row, rows } from '#tests/support/rows.ts'
import { axeViolations } from './accessibility-checks.ts'
import {
  expectOrderEnd,
  findCell,
  grid,
  openTable,
  submitButton,
  submitTable,
  tableFigure,
} from './bulk-page.ts'
import { labelsOf, test } from './customer-fixture.ts'
import { holdRequests, intercept } from './intercept.ts'
import { balance } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

async function openSecondTab(page: Page, count: number): Promise<Page> {
  const second = await page.context().newPage()
  await second.goto('/main/bulk-order')
  await expect(tableFigure(second, 'Count')).toHaveText(String(count))
  return second
}

test.use({ dollars: 50 })

test('a table that is submitted in two tabs at once is bought once, and nothing changes it meanwhile', async ({
  page,
  customer,
}) => {
  await openTable(page, rows(2))
  const second = await openSecondTab(page, 2)
  const { release } = await holdRequests(page, null, '**/api/orders/bulk/process/**')
  const sent = page.waitForRequest('**/api/orders/bulk/process/**')
  await submitTable(page)
  await sent
  const items = page.getByRole('region', { name: 'Bulk Order Items', includeHidden: true })
  await expect(items).toHaveAttribute('inert')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Control+z')
  await submitTable(second)
  await expectOrderEnd(second, 'Order Processed Successfully!')
  release()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  await expect(tableFigure(page, 'Count')).toHaveText('0')
  await expect(balance(page)).toContainText('$37.00')
  expect(await labelsOf(customer)).toBe(2)
})

test('a file that was read again does not bring back rows that another tab has submitted', async ({
  page,
  customer,
}) => {
  await openTable(page, rows(2))
  const fields = FIELDS.filter(({ name }) => name !== 'courier')
  const sheet = (name: string, day: BulkRow) => ({
    name,
    rows: [fields.map(({ header }) => header), fields.map(field => day[field.name])],
  })
  const sheets = [sheet('Monday', row(3)), sheet('Tuesday', row(4))]
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add file' }).click()
  const buffer = Buffer.from(await writeXlsx({ sheets }))
  const week = { name: 'week.xlsx', mimeType: '', buffer }
  await (await chooser).setFiles(week)
  await expect(tableFigure(page, 'Count')).toHaveText('3')
  const second = await openSecondTab(page, 3)

  const edited = grid(page).getByRole('row').filter({ hasText: 'Receiver 3' })
  await edited.getByRole('button', { name: 'Edit' }).click()
  await grid(page).getByRole('textbox', { name: 'To Name', exact: true }).fill('Wanda Osei')
  await page.getByRole('combobox', { name: 'Sheet of week.xlsx' }).selectOption('Tuesday')
  const question = page.getByRole('dialog', { name: 'Replace the rows of this file?' })
  await expect(question).toContainText('1')
  await submitTable(second)
  await expectOrderEnd(second, 'Order Processed Successfully!')
  await expectToast(page, 'This table was submitted in another tab.')
  await expect(question).toBeHidden()
  await expect(tableFigure(page, 'Count')).toHaveText('0')
  await expect(balance(page)).toContainText('$30.50')
  expect(await labelsOf(customer)).toBe(3)
  // The same file again makes another table.
  await page.getByLabel('Click or Drag & drop to upload').setInputFiles(week)
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  await expect(question).toBeHidden()
})

test('a question about rows ends when another tab submits some of them', async ({ page }) => {
  await openTable(page, rows(8))
  const second = await openSecondTab(page, 8)
  await page.getByRole('button', { name: 'Compare services' }).click()
  const question = page.getByRole('dialog', { name: 'Compare services' })
  await expect(question).toContainText('Cheapest that fits each row')
  await submitTable(second)
  await second.getByRole('button', { name: 'Submit what the balance covers' }).click()
  await expectOrderEnd(second, 'Order Processed Successfully!')
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  await expect(question).toBeHidden()
})

test('a change made in another tab after a lost answer buys nothing more', async ({
  page,
  customer,
}) => {
  await openTable(page, rows(2))
  const second = await openSecondTab(page, 2)
  await intercept(
    page,
    '**/api/orders/bulk/process/**',
    async route => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await submitTable(page)
  await expect(page.getByText(/No answer from the server\. Try again/)).toBeVisible()
  const weight = await findCell(second, 1, 'Package', 'Weight')
  await weight.click()
  await second.keyboard.type('9')
  await second.keyboard.press('Enter')
  await expect(weight).toHaveText('9')
  await submitTable(second)
  await expectToast(page, 'This table was submitted in another tab.')
  await expect(
    second.getByText('This table has already been submitted. Later changes are not included.'),
  ).toBeVisible()
  await expect(second.getByRole('link', { name: 'Open Batch Orders' })).toBeVisible()
  await expect(tableFigure(second, 'Count')).toHaveText('0')
  expect(await labelsOf(customer)).toBe(2)
})

test('a retry of rows that were bought since asks first, marks them, and buys them again if told to', async ({
  page,
  customer,
}) => {
  const { api, user, token } = customer
  const ids = (n: number) => ({ orderId: `70${n}`, orderItemId: `it-${n}` })
  const refused = rows(3, n => ({ ...ids(n), ToStreet2: n < 3 ? 'SANDBOX REFUSE ONCE' : '' }))
  const buy = async (orderData: unknown[]): Promise<void> => {
    const { orderId } = (await api.call(initBatch, { body: { userId: user._id } }, token)).body
    const params = { userId: user._id }
    await api.call(processBatch, { params, body: { orderId, orderData } }, token)
  }
  await buy(refused)
  await page.goto('/main/batch-orders')
  await expect(page.getByText('Completed with errors (2 Failed)')).toBeVisible()
  await buy(rows(1, () => ({ ...ids(1), ToRecipientName: 'Corrected' })))
  await page.getByRole('button', { name: 'Retry Failed' }).click()
  const overlay = page.getByRole('dialog', { name: 'Order Processed With 2 Failed Label(s)' })
  await expect(overlay.getByText(/^1 of the failed rows was bought since/)).toBeVisible()
  await overlay.getByRole('button', { name: 'Retry all and buy them again' }).click()
  const repeats = page.getByRole('dialog', { name: 'Buy labels a second time?' })
  await expect(repeats.getByText(/^1 of the failed rows was bought since/)).toBeVisible()
  await repeats.getByRole('button', { name: 'Cancel' }).click()
  await overlay.getByRole('link', { name: 'Fix rows' }).click()
  await expect(page).toHaveURL(/bulk-order/)
  await expect(page.getByText('1 of 2 rows already have a label')).toBeVisible()
  await submitButton(page).click()
  const question = page.getByRole('dialog', { name: 'Rows that already have a label' })
  await question.getByRole('button', { name: 'Which rows' }).click()
  await expect(question.getByText(/^Row 1, 701/)).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await question.getByRole('button', { name: 'Leave them out' }).click()
  await expectToast(page, 'Left out 1 row that already has a label.')
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  await page.goto('/main/batch-orders')
  await page.getByRole('button', { name: 'Retry Failed' }).click()
  await overlay.getByRole('button', { name: 'Retry all and buy them again' }).press('Enter')
  await repeats.getByRole('button', { name: 'Buy them again' }).press('Enter')
  await expectOrderEnd(page, 'Order Processed Successfully!')
  expect(await labelsOf(customer)).toBe(4)
})
