import { expect } from '@playwright/test'
import { row, rows } from '#tests/support/rows.ts'
import { findCell, tableFigure, grid, openTable } from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 50, permissions: ['clipboard-read', 'clipboard-write'] })

test('the table is used by keyboard alone', async ({ page }) => {
  await openTable(page, rows(40))
  const focused = async (place: number, group: string, head: string) =>
    expect(await findCell(page, place, group, head)).toBeFocused()
  await (await findCell(page, 1, 'To', 'City')).click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await focused(2, 'To', 'State')
  await page.keyboard.press('ArrowLeft')
  await focused(2, 'To', 'City')

  await page.keyboard.press('Enter')
  await expect(grid(page).getByRole('textbox', { name: 'To City', exact: true })).toBeFocused()
  await page.keyboard.type('Nowhere')
  await page.keyboard.press('Escape')
  await focused(2, 'To', 'City')
  await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Fresno')

  await page.keyboard.press('Enter')
  await page.keyboard.type('Clovis')
  await page.keyboard.press('Enter')
  await focused(2, 'To', 'City')
  await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Clovis')

  await page.keyboard.press('Enter')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(grid(page).getByText('City is required')).toBeVisible()
  await page.keyboard.press('Escape')
  await focused(2, 'To', 'City')

  // A row far below is drawn when one goes there.
  await page.keyboard.press('ControlOrMeta+ArrowDown')
  await focused(40, 'To', 'City')
  await page.keyboard.press('Delete')
  const sure = page.getByRole('dialog', { name: 'Are you sure you want to delete this item?' })
  await expect(sure.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(tableFigure(page, 'Count')).toHaveText('39')
  await focused(39, 'To', 'City')
  await page.keyboard.press('ControlOrMeta+Z')
  await expect(tableFigure(page, 'Count')).toHaveText('40')
  await page.keyboard.press('ControlOrMeta+ArrowUp')
  await focused(1, 'To', 'City')
})

test('cells of a spreadsheet are pasted at the cursor, validated and undone', async ({ page }) => {
  await openTable(page, [row(1), row(2), row(3)])
  const cells = 'Opal Wainwright\t"200 Huot ""B"" Circle"\tNome\r\nJosé Núñez\t7 Elm St\tNome\r\n'
  await (await findCell(page, 2, 'To', 'Name')).click()
  await page.evaluate(text => navigator.clipboard.writeText(text), cells)
  await page.keyboard.press('ControlOrMeta+V')
  await expectToast(page, 'Pasted into 2 rows.')
  await expect(await findCell(page, 1, 'To', 'Name')).toHaveText('Receiver 1')
  await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Nome')
  await expect(await findCell(page, 2, 'To', 'Street')).toHaveText('200 Huot "B" Circle')
  await expect(await findCell(page, 3, 'To', 'Name')).toHaveText('José Núñez')

  await (await findCell(page, 1, 'To', 'Zip')).click()
  await page.evaluate(() => navigator.clipboard.writeText('1\n2\n3\n4\n'))
  await page.keyboard.press('ControlOrMeta+V')
  await expectToast(page, '1 pasted cell didn’t fit in the table.')
  await expect(
    page.getByText('3 row(s) have validation errors. Please check the table and fix them.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Next error' })).toBeHidden()
  await expect(await findCell(page, 2, 'To', 'Name')).toHaveText('Opal Wainwright')

  await (await findCell(page, 2, 'To', 'Name')).click()
  await page.keyboard.press('ControlOrMeta+C')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ControlOrMeta+V')
  await expect(await findCell(page, 1, 'To', 'Name')).toHaveText('Opal Wainwright')
})

test('ranges, columns and rows are changed at once, found, sorted and brought back', async ({
  page,
}) => {
  await openTable(
    page,
    rows(6, n => ({ ToStreet2: n === 4 ? 'Suite 9' : '', PackageWeight: String(n) })),
  )
  const cell = (place: number, group: string, head: string) => findCell(page, place, group, head)
  const weights = () =>
    Promise.all(
      [1, 2, 3].map(async place => (await cell(place, 'Package', 'Weight')).textContent()),
    )

  // A range goes through the clipboard of a spreadsheet and back.
  await (await cell(1, 'To', 'City')).click()
  await (await cell(2, 'To', 'Zip')).click({ modifiers: ['Shift'] })
  await expect(page.getByText('6 cells in 2 rows selected')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+C')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('Portland\tME\t04101\r\nFresno\tCA\t93701')
  await (await cell(3, 'To', 'City')).click()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(await cell(4, 'To', 'Zip')).toHaveText('93701')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('ControlOrMeta+D')
  await expect(await cell(4, 'To', 'City')).toHaveText('Portland')
  await page.keyboard.press('Backspace')
  await expect(await cell(4, 'To', 'City')).toHaveText('City is required')
  await page.getByRole('button', { name: 'Undo clearing of 2 cells' }).click()
  await expect(await cell(4, 'To', 'City')).toHaveText('Portland')
  await page.getByRole('button', { name: 'Redo clearing of 2 cells' }).click()
  await page.getByRole('button', { name: 'Undo clearing of 2 cells' }).click()

  // Typing begins an edit, units are read, Enter goes on to the next row.
  await (await cell(1, 'Package', 'Weight')).click()
  await page.keyboard.type('8 oz')
  await page.keyboard.press('Enter')
  await expect(await cell(1, 'Package', 'Weight')).toHaveText('0.5')
  await expect(await cell(2, 'Package', 'Weight')).toBeFocused()

  // The head's menu sorts and sets the column.
  await page.keyboard.press('ControlOrMeta+ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Sort descending' }).click()
  await expect.poll(weights).toEqual(['6', '5', '4'])
  // The menu has given the focus back to the head.
  await expect(grid(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Set for all rows…' }).click()
  await page.getByRole('textbox', { name: 'Weight' }).fill('2')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Weight set in 5 rows.')
  await expect.poll(weights).toEqual(['2', '2', '2'])

  // Rows by their numbers, and their menu.
  await page.getByRole('rowheader', { name: '5', exact: true }).click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('7')
  await page.keyboard.press('ControlOrMeta+F')
  await page.keyboard.type('suite 9')
  await expect(page.getByText('1 of 7 rows').first()).toBeVisible()
  await page.getByRole('button', { name: 'Show all rows' }).click()
  await expect(grid(page).getByRole('rowheader')).toHaveCount(7)
})

test('a comparison of services tells no days of arrival for military addresses', async ({
  page,
}) => {
  const apo = { ToCity: 'APO', ToStateProvince: 'AP', ToZipPostal: '96338' }
  await openTable(
    page,
    rows(3, n => (n < 3 ? apo : {})),
  )
  await (await findCell(page, 1, 'To', 'City')).click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('button', { name: 'Compare services' }).click()
  const services = page.getByRole('dialog', { name: 'Compare services' })
  await expect(
    services.getByRole('button', { name: 'Use USPS Priority Mail', exact: true }),
  ).toBeVisible()
  await expect(services).not.toContainText('business days')
  await services.getByRole('radio', { name: 'All 3 rows' }).check()
  const usual = services.getByRole('listitem').filter({ hasText: 'business days' })
  await expect(usual.first()).toContainText('2 rows to military addresses take longer')
})

test('no field of a row that is edited is covered by the buttons beside it', async ({ page }) => {
  await openTable(page, rows(3))
  await grid(page).getByRole('button', { name: 'Edit' }).first().click()
  const quantity = grid(page).getByRole('textbox', { name: 'Quantity' })
  await expect(quantity).toHaveValue('1')
  const isAtItsEnd = (field: HTMLElement | SVGElement): boolean => {
    const { right, top, height } = field.getBoundingClientRect()
    return document.elementFromPoint(right - 2, top + height / 2) === field
  }
  await expect.poll(() => quantity.evaluate(isAtItsEnd)).toBe(true)
})
