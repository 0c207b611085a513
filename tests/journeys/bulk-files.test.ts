import { expect } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import { listOrders } from '#contract/orders.ts'
import { FIELDS } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { addSkus } from '#contract/skus.ts'
import { row, rows } from '#tests/support/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { createInspector } from './accessibility-checks.ts'
import {
  chooseTableAction,
  expectOrderEnd,
  findCell,
  grid,
  openTable,
  submitButton,
  submitTable,
  tableFigure,
  upload,
} from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { holdRequests } from './intercept.ts'
import { choose, clickAndDownloadText } from './page-helpers.ts'

test.use({ dollars: 60 })

/** A sheet of a workbook, without services. */
function sheet(name: string, orders: readonly BulkRow[]) {
  const fields = FIELDS.filter(field => field.name !== 'ServiceName' && field.name !== 'courier')
  const cells = (one: BulkRow) => fields.map(field => one[field.name])
  return { name, rows: [fields.map(({ header }) => header), ...orders.map(cells)] }
}

const weekFile = async (sheets: ReturnType<typeof sheet>[]) => ({
  name: 'week.xlsx',
  mimeType: '',
  buffer: Buffer.from(await writeXlsx({ sheets })),
})

test('the sample file has two faults, which are found by their causes and fixed at once', async ({
  page,
}) => {
  await page.goto('/main/bulk-order')
  await page.getByRole('button', { name: 'Try a sample file' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('10')
  const faults = page.getByRole('region', { name: 'Errors in the table' })
  await expect(faults.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Only rows with errors' }).click()
  await expect(grid(page).getByText('June Rivera')).toBeHidden()
  await expect(
    page.getByRole('search', { name: 'Search the rows' }).getByRole('status'),
    'told to who does not see the rows',
  ).toHaveText('2 of 10 rows')
  const { text } = await clickAndDownloadText(
    page,
    page.getByRole('button', { name: 'Download rows with errors' }),
  )
  expect(text.split('\r\n')).toHaveLength(4)
  expect(text).toContain('Weight is required')

  await faults.getByRole('button', { name: 'Enter once' }).click()
  const entry = page.getByRole('dialog', { name: 'Enter once: no weight' })
  await entry.getByRole('textbox', { name: 'Weight, lb' }).fill('2')
  await entry.getByRole('button', { name: 'Fill 1 row' }).click()
  await expect(faults.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Next error' }).click()
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(await findCell(page, 1, 'To', 'Zip')).toBeFocused()

  // The bar leads to the choice that the price waits for.
  await expect(tableFigure(page, 'Price')).toHaveText('–')
  await page.getByRole('button', { name: 'Choose a service' }).click()
  await page.getByRole('option', { name: 'USPS Ground Advantage', exact: true }).click()
  await expect(tableFigure(page, 'Price')).toHaveText(/\$/)
})

test('two files are one table, kept apart, and a file that was bought is noticed', async ({
  page,
}) => {
  const first = csvOf([row(1), row(2)])
  await openTable(page, [row(1), row(2)])
  await page
    .getByRole('region', { name: 'Files of this table' })
    .locator('input[aria-label="Add file"]')
    .setInputFiles({
      name: 'second.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csvOf([row(3)])),
    })
  await expect(tableFigure(page, 'Count')).toHaveText('3')
  await expect(tableFigure(page, 'Price')).toHaveText('$19.50')
  await page.getByRole('button', { name: 'Show only rows of second.csv' }).click()
  await expect(grid(page).getByText('Receiver 3')).toBeVisible()
  await expect(grid(page).getByText('Receiver 1')).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('2')
  await submitTable(page)
  const done = await expectOrderEnd(page, 'Order Processed Successfully!')
  await done.getByRole('button', { name: 'Close' }).click()

  await upload(page, 'labels.csv', first)
  await expect(page.getByText('2 of 2 rows already have a label')).toBeVisible()
  await submitTable(page)
  const asked = page.getByRole('dialog', { name: 'Rows that already have a label' })
  await expect(asked).toContainText('Nothing has been sent.')
  await asked.getByRole('button', { name: 'Keep them' }).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
})

test('the line of a file says how long it took to read, and another file can take its place', async ({
  page,
}) => {
  await openTable(page, [row(1), row(2)])
  const files = page.getByRole('region', { name: 'Files of this table' })
  await expect(files).toContainText(/Bulk template, 2 rows read in [\d.]+ m?s/)
  await expect(files.getByRole('button', { name: /^Columns of / })).toHaveText('Columns')
  const chosen = page.waitForEvent('filechooser')
  await files.getByRole('button', { name: /^Replace / }).click()
  const other = { name: 'other.csv', mimeType: 'text/csv' }
  await (await chosen).setFiles({ ...other, buffer: Buffer.from(csvOf([row(3)])) })
  await expect(files).toContainText('other.csv')
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  await expect(grid(page).getByText('Receiver 3')).toBeVisible()
})

test('a large file begins with its first rows; it is cancelled, and another file takes its place', async ({
  page,
}) => {
  // A file is read once the server has said which columns the customer has matched before.
  const { release } = await holdRequests(page, null, '**/api/imports/*')
  await page.goto('/main/bulk-order')
  // Of many words in few rows, which axe judges sooner.
  const [head, ...lines] = csvOf(rows(50)).trimEnd().split('\r\n')
  const large = [`${head},NOTES`, ...lines.map(line => `${line},${'word '.repeat(1200)}`)].join(
    '\r\n',
  )
  const firstRows = page.getByLabel('First rows. You can edit them when the whole file is read.')
  await upload(page, 'large.csv', large)
  await expect(firstRows).toContainText('Receiver 4')
  await expect(page.getByRole('progressbar', { name: 'Progress of reading' })).toBeVisible()
  const { look, found } = createInspector(page, [1440, 390])
  await look('first rows')
  expect(found).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(firstRows).toBeHidden()
  await expect(page.getByText('Reading large.csv…')).toBeHidden()

  await upload(page, 'large.csv', large)
  await expect(firstRows).toBeVisible()
  await firstRows.evaluate(
    (element, text) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], 'small.csv'))
      element.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
      )
    },
    csvOf(rows(2)),
  )
  await expect(page.getByText('Reading small.csv…')).toBeVisible()
  await expect(firstRows).toBeHidden()
  release()
  await expect(tableFigure(page, 'Count')).toHaveText('2')
  const files = page.getByRole('region', { name: 'Files of this table' })
  await expect(files).toContainText('small.csv')
  await expect(files).not.toContainText('large.csv')
})

test('cells pasted on the empty page become rows, and a draft keeps them under a name', async ({
  page,
}) => {
  await page.goto('/main/bulk-order')
  await choose(page, page, 'Service', 'USPS Ground Advantage')
  await expect(page.getByRole('button', { name: 'Try a sample file' })).toBeVisible()
  const cells = csvOf(rows(2)).replaceAll(',', '\t')
  await page.evaluate(text => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, cells)
  await expect(tableFigure(page, 'Count')).toHaveText('2')

  await chooseTableAction(page, 'Save draft as…')
  const drafts = page.getByRole('dialog', { name: 'Drafts' })
  const saved = drafts.getByRole('list', { name: 'Saved drafts' })
  for (const name of ['Monday', 'Tuesday']) {
    await drafts.getByRole('textbox', { name: 'Name of this draft' }).fill(name)
    await drafts.getByRole('button', { name: 'Save draft' }).click()
    await expect(saved).toContainText(name)
  }
  await drafts.getByRole('button', { name: 'Delete Tuesday' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Delete this draft?' })
  await question.getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(saved).not.toContainText('Tuesday')
  await expect(saved).toContainText('Monday')
  await page.keyboard.press('Escape')
  await chooseTableAction(page, 'Reset')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Drafts' }).click()
  await drafts.getByRole('button', { name: 'Open Monday' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('2')
  await expect(tableFigure(page, 'Price')).toHaveText('$13.00')

  await submitButton(page).click()
  const done = await expectOrderEnd(page, 'Order Processed Successfully!')
  await done.getByRole('button', { name: 'Close' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('0')
  await expect(page.getByRole('button', { name: 'Drafts' })).toBeHidden()
})

test('another sheet of a workbook is read; a large quantity is split, and an order taken apart', async ({
  page,
  customer,
}) => {
  const { api, token, user } = customer
  const mug = { sku: 'MUG', maxQty: 2, weight: 1, length: 6, width: 5, height: 4, description: '' }
  const params = { userId: user._id }
  await api.call(addSkus, { params, body: { parsedData: [mug] } }, token)
  const lines = [
    row(1, { orderId: 'A1', orderItemId: 'A1-1', skuNumber: 'MUG', quantity: '5' }),
    row(1, { orderId: 'A1', orderItemId: 'A1-2', skuNumber: 'TEE' }),
  ]
  const sheets = [sheet('Monday', [row(3)]), sheet('Tuesday', lines)]
  await page.goto('/main/bulk-order')
  await choose(page, page, 'Service', 'USPS Ground Advantage')
  await page
    .getByLabel('Click or Drag & drop to upload Amazon file / CSV')
    .setInputFiles(await weekFile(sheets))
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  const sheetField = page.getByRole('combobox', { name: 'Sheet of week.xlsx' })
  await sheetField.focus()
  await sheetField.selectOption('Tuesday')
  await expect(tableFigure(page, 'Count')).toHaveText('2')
  await expect(sheetField).toBeFocused()

  const warnings = page.getByRole('region', { name: 'Warnings' })
  await warnings.getByRole('button', { name: 'Split into parcels' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('4')
  await expect(warnings.getByText('quantity is more than one package holds')).toBeHidden()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('2')

  await page.getByRole('radio', { name: 'Order' }).check()
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  await (await findCell(page, 1, 'To', 'Name')).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Take apart' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('2')
  await page.getByRole('button', { name: /^Undo/ }).click()
  await submitTable(page)
  await expectOrderEnd(page, 'Order Processed Successfully!')
  const { body } = await api.call(listOrders, { params, query: {} }, token)
  expect(body.orders).toHaveLength(1)
})

test('a question about rows ends when another sheet of their file is read', async ({ page }) => {
  await page.clock.install()
  await openTable(page, rows(2))
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add file' }).click()
  const sheets = [sheet('Monday', [row(3)]), sheet('Tuesday', [row(4), row(5)])]
  await (await chooser).setFiles(await weekFile(sheets))
  await expect(tableFigure(page, 'Count')).toHaveText('3')
  // What the page knows of the server's data is old by then, so it asks again while it reads.
  await page.clock.fastForward('05:00')
  const { sent, release } = await holdRequests(page, 'GET', '**/api/imports/**')
  await page.getByRole('combobox', { name: 'Sheet of week.xlsx' }).selectOption('Tuesday')
  await sent
  await page.getByRole('button', { name: 'Compare services' }).click()
  const question = page.getByRole('dialog', { name: 'Compare services' })
  await expect(question).toContainText('Cheapest that fits each row')
  release()
  await expect(tableFigure(page, 'Count')).toHaveText('4')
  await expect(question).toBeHidden()
})
