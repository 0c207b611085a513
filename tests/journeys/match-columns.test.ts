import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import { createInspector } from './accessibility-checks.ts'
import { grid } from './bulk-page.ts'
import { saveSender, test } from './customer-fixture.ts'

const HEAD = ['Order Ref', 'Kunde', 'Road', 'Town', 'ST', 'Code', 'Weight (oz)']
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
  await expect(column('Kunde')).toBeFocused()
  await dialog.getByText('6 columns matched').click()
  await expect(column('Town')).toHaveValue('ToCity')
  await expect(column('Code')).toHaveValue('ToZipPostal')
  await expect(column('Unit of Weight (oz)')).toHaveValue('oz')
  await expect(column('Kunde')).toHaveAccessibleDescription('Ada Quill · Ben Otto')
  const inspector = createInspector(page, [1280, 320])
  await inspector.look('Match columns')
  expect(inspector.found).toEqual([])

  // With the keyboard on the narrowest screen, the buttons never cover the field with the focus.
  await page.setViewportSize({ width: 320, height: 640 })
  await column('Kunde').focus()
  for (let field = 0; field < 6; field += 1) {
    await page.keyboard.press('Tab')
    expect(await isFocusInSight(page)).toBe(true)
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  // What its values look like is chosen, to be checked.
  await expect(column('Kunde')).toHaveValue('ToRecipientName')
  await expect(dialog.getByText('Suggested by its values')).toBeVisible()
  await expect(dialog.getByText('Ada Quill, 1 Elm St, Bath Maine 04530, 8 oz')).toBeVisible()
  await column('Kunde').selectOption({ label: 'Not used' })
  await dialog.getByRole('button', { name: 'Use these columns' }).press('Enter')
  await expect(column('Kunde')).toBeFocused()
  await expect(column('Kunde')).toHaveAccessibleDescription(/Choose the column of To Name/)
  await dialog.getByRole('button', { name: 'Use as To Name' }).press('Enter')
  await expect(column('Kunde')).toHaveValue('ToRecipientName')
  await expect(column('Kunde')).toBeFocused()
  for (const [field, inches] of Object.entries({ Length: '9', Width: '6', Height: '1' }))
    await dialog.getByRole('textbox', { name: `${field} (in) for all rows` }).fill(inches)
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

  await page.getByRole('button', { name: 'Change the columns of week-47.xlsx' }).click()
  await expect(column('Kunde')).toHaveValue('ToRecipientName')
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
