import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import { createInspector } from './accessibility-checks.ts'
import { findCell, grid, upload } from './bulk-page.ts'
import { saveSender, test } from './customer-fixture.ts'

const HEAD = ['Order Ref', 'Klant', 'Road', 'Town', 'ST', 'Code', 'Weight (oz)']
const ORDERS = [
  ['A-1', 'Ada Quill', '1 Elm St', 'Bath', 'Maine', 4530, 8],
  ['A-2', 'Ben Otto', '22 Huot Circle', 'Gresham', 'OR', 97030, 20],
]

async function uploadWorkbook(page: Page, name: string, rows: (string | number)[][]) {
  const bytes = await writeXlsx({
    sheets: [
      { name: 'Lists', rows: [['hidden']], hidden: true },
      {
        name: 'Orders',
        rows: [HEAD, ...rows],
        columns: HEAD.map(head => ({ numFmt: head === 'Code' ? '00000' : undefined })),
      },
    ],
  })
  await page
    .getByLabel('Click or Drag & drop to upload Amazon file / CSV')
    .setInputFiles({ name, mimeType: '', buffer: Buffer.from(bytes) })
}

const isFocusInSight = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { left, top, width, height } = document.activeElement!.getBoundingClientRect()
    const shown = document.elementFromPoint(left + width / 2, top + height / 2)
    return document.activeElement!.contains(shown)
  })

test.use({ viewport: { width: 1280, height: 800 } })

test('a workbook with unknown columns is matched once, and the next one is read at once', async ({
  page,
  customer,
}) => {
  await saveSender(customer)
  await page.goto('/main/bulk-order')
  await uploadWorkbook(page, 'week-46.xlsx', ORDERS)

  const dialog = page.getByRole('dialog', { name: 'Match columns' })
  const column = (name: string) => dialog.getByRole('combobox', { name, exact: true })
  await expect(column('Klant')).toBeFocused()
  await dialog.getByText('6 columns matched').click()
  await expect(column('Town')).toHaveValue('ToCity')
  await expect(column('Code')).toHaveValue('ToZipPostal')
  await expect(column('Unit of Weight (oz)')).toHaveValue('oz')
  await expect(column('Klant')).toHaveAccessibleDescription('Ada Quill · Ben Otto')
  const inspector = createInspector(page, [1280, 320])
  await inspector.look('Match columns')
  expect(inspector.found).toEqual([])

  // With the keyboard on the narrowest screen, the buttons never cover the field with the focus.
  await page.setViewportSize({ width: 320, height: 640 })
  await column('Klant').focus()
  for (let field = 0; field < 6; field += 1) {
    await page.keyboard.press('Tab')
    // The dialog takes a moment to fit into the smaller window.
    await expect.poll(() => isFocusInSight(page)).toBe(true)
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  // What its values look like is chosen, to be checked.
  await expect(column('Klant')).toHaveValue('ToRecipientName')
  await expect(dialog.getByText('Suggested by its values')).toBeVisible()
  await expect(dialog.getByText('Ada Quill, 1 Elm St, Bath Maine 04530, 8 oz')).toBeVisible()
  await column('Klant').selectOption({ label: 'Not used' })
  await dialog.getByRole('button', { name: 'Use these columns' }).press('Enter')
  await expect(column('Klant')).toBeFocused()
  await expect(column('Klant')).toHaveAccessibleDescription(/Choose the column of To Name/)
  await dialog.getByRole('button', { name: 'Use as To Name' }).press('Enter')
  await expect(column('Klant')).toHaveValue('ToRecipientName')
  await expect(column('Klant')).toBeFocused()
  for (const [field, inches] of Object.entries({ Length: '9', Width: '6', Height: '1' })) {
    const constant = dialog.getByRole('textbox', { name: `${field} for all rows`, exact: true })
    await expect(constant).toHaveAccessibleDescription('in inches')
    await constant.fill(inches)
  }
  await dialog.getByRole('button', { name: 'Use these columns' }).click()
  await expect(dialog).toBeHidden()
  await expect(grid(page)).toContainText('Ada Quill')
  await expect(grid(page)).toContainText('04530')

  await page.reload()
  await expect(grid(page)).toContainText('Ada Quill')
  const [first] = ORDERS
  await uploadWorkbook(page, 'week-47.xlsx', [['A-3', 'Cleo Park', ...first!.slice(2)]])
  await expect(grid(page)).toContainText('Cleo Park')
  await expect(grid(page)).toContainText('A-3')
  await expect(grid(page)).not.toContainText('Ada Quill')
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/Columns read as on \d/)).toBeVisible()

  await page.getByRole('button', { name: 'Change columns of week-47.xlsx' }).click()
  await expect(column('Klant')).toHaveValue('ToRecipientName')
  await column('Order Ref').selectOption({ label: 'Not used' })
  await dialog.getByRole('button', { name: 'Use these columns' }).click()
  await expect(grid(page)).not.toContainText('A-3')
  await page.getByRole('button', { name: 'Saved columns' }).press('Enter')
  const saved = page.getByRole('dialog', { name: 'Saved columns' })
  await saved.getByRole('button', { name: 'Delete the columns of week-47.xlsx' }).press('Enter')
  await expect(saved.getByText('You have no saved columns.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Saved columns' })).toBeHidden()
  await uploadWorkbook(page, 'week-48.xlsx', ORDERS)
  await expect(dialog).toBeVisible()
})

test('orders that a shop has sent or refunded stay left out after one of its columns is matched', async ({
  page,
  customer,
}) => {
  const head =
    'Name,Financial Status,Fulfillment Status,Cancelled at,Lineitem quantity,Lineitem name,Lineitem sku,'
    + 'Shipping Name,Shipping Address1,Shipping City,Shipping Province,Shipping Zip,Shipping Country,Notes,Shipping Street'
  const order = (id: string, states: string, name: string, note: string) =>
    `${id},${states},1,Mug,MUG,${name},9 Oak St,Portland,ME,04101,US,${note},`
  const exported = (...lines: string[]) => [head, ...lines].join('\n')
  const files = page.getByRole('region', { name: 'Files of this table' })
  const leftOut = page.getByRole('list', { name: 'Lines left out' }).getByRole('listitem')
  const dialog = page.getByRole('dialog', { name: 'Match columns' })
  const column = (name: string) => dialog.getByRole('combobox', { name, exact: true })

  await saveSender(customer)
  await page.goto('/main/bulk-order')
  await upload(
    page,
    'monday.csv',
    exported(
      order('#1', 'paid,,', 'Ana Lee', 'leave at door'),
      '#1,,,,2,Cap,CAP,,,,,,,',
      order('#2', 'paid,fulfilled,', 'Ben Otto', ''),
      order('#3', 'refunded,,2026-01-01', 'Cem Park', ''),
    ),
  )
  await expect(files.getByText('Shopify, 2 rows')).toBeVisible()
  await expect(leftOut).toHaveCount(2)

  await page.getByRole('button', { name: 'Columns of monday.csv' }).click()
  await expect(column('Shipping Zip')).toHaveValue('ToZipPostal')
  await expect(column('Notes')).toHaveValue('unused')
  await expect(dialog.getByText('1 column to check')).toBeVisible()
  await expect(column('Financial Status')).toHaveAccessibleDescription(
    /paid.*Always read for Shopify orders/,
  )
  await expect(column('Shipping Street')).toHaveAccessibleDescription(
    /Read where Shipping Address1 is empty/,
  )
  await column('Shipping Address1').selectOption({ label: 'Not used' })
  await expect(column('Shipping Street')).toHaveAccessibleDescription('No values in the first rows')
  await column('Shipping Address1').selectOption({ label: 'To Street' })
  await expect(column('Shipping Street')).toHaveAccessibleDescription(
    /Read where Shipping Address1 is empty/,
  )
  await column('Notes').selectOption({ label: 'Description' })
  await dialog.getByRole('button', { name: 'Use these columns' }).click()
  await expect(dialog).toBeHidden()
  await expect(grid(page)).toContainText('leave at door')
  await expect(files.getByText('Shopify, 2 rows')).toBeVisible()
  await expect(leftOut).toHaveCount(2)
  await expect(grid(page)).toContainText('Ana Lee')
  for (const name of ['Ben Otto', 'Cem Park']) await expect(grid(page)).not.toContainText(name)
  for (const row of [1, 2])
    await expect(await findCell(page, row, 'To', 'City')).toHaveText('Portland')

  // The next export of the shop is read by the same columns.
  await upload(
    page,
    'tuesday.csv',
    exported(
      order('#4', 'paid,,', 'Dee Falk', 'ring twice'),
      order('#5', 'refunded,,2026-01-02', 'Eli Lund', ''),
    ),
  )
  await expect(grid(page)).toContainText('ring twice')
  await expect(files.getByText('Shopify, 1 row')).toBeVisible()
  await expect(leftOut).toHaveCount(1)
  await expect(grid(page)).not.toContainText('Eli Lund')
  await page.getByRole('button', { name: 'Change columns of tuesday.csv' }).click()
  await expect(column('Notes')).toHaveValue('PackageDescription')
  await expect(column('Shipping Zip')).toHaveValue('ToZipPostal')
})
