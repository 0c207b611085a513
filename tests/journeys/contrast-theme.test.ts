/** With a contrast theme of the system the browser leaves out our backgrounds and shadows: what they say must be seen without them. */
import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { rows } from '#tests/support/rows.ts'
import { findCell, openTable } from './bulk-page.ts'
import { buyBulkOrder, test } from './customer-fixture.ts'
import { colorOf, listRegion } from './page-helpers.ts'

test.use({ contextOptions: { reducedMotion: 'reduce', forcedColors: 'active' }, dollars: 300 })

/** The color of the surface of an element, as the theme has it. */
const groundOf = (place: Locator): Promise<string> => colorOf(place, 'backgroundColor')

/** What is written or drawn can be read on this ground. */
const expectReadable = (letters: Locator, ground: Locator): Promise<void> =>
  expect
    .poll(async () => (await colorOf(letters, 'color')) === (await groundOf(ground)))
    .toBe(false)

/** `one` stands out of its like, and what is on it can be read. */
async function expectToStandOut(one: Locator, other: Locator): Promise<void> {
  await expect.poll(async () => (await groundOf(one)) === (await groundOf(other))).toBe(false)
  await expectReadable(one, one)
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`in a ${colorScheme} contrast theme one sees what is chosen and where one is`, async ({
    page,
    customer,
  }) => {
    await page.emulateMedia({ colorScheme })
    await buyBulkOrder(customer, rows(9))
    await page.goto('/main/orders')
    const orders = listRegion(page, 'Orders List')
    const [all, first, second] = [0, 1, 2].map(at => orders.getByRole('checkbox').nth(at))
    await first!.check()
    await expectToStandOut(first!, second!)
    await expect(all!).toBeChecked({ indeterminate: true })
    await expectToStandOut(all!, second!)
    const mark = first!.locator('xpath=following-sibling::*[name()="svg"]')
    await expectReadable(mark, first!)

    const places = page.getByRole('navigation', { name: 'Main' })
    await expectToStandOut(
      places.getByRole('link', { name: 'Orders', exact: true }),
      places.getByRole('link', { name: 'Deposit', exact: true }),
    )
    const pages = orders.getByRole('navigation')
    await expectToStandOut(
      pages.getByRole('button', { name: '1' }),
      pages.getByRole('button', { name: '2' }),
    )

    await page.goto('/main/order-label')
    const state = page
      .getByRole('region', { name: 'To Address' })
      .getByRole('combobox', { name: 'State', exact: true })
    await state.press('ArrowDown')
    const listed = page.getByRole('option')
    await expect(listed.first()).toBeVisible()
    await state.press('ArrowDown')
    await expectToStandOut(
      page.locator('[role=option][data-combobox-selected]'),
      page.locator('[role=option]:not([data-combobox-selected])').first(),
    )
  })
}

test('in a contrast theme one sees the selected cells of a table', async ({ page }) => {
  await openTable(page, rows(3))
  const cell = await findCell(page, 1, 'To', 'City')
  await cell.click()
  await page.keyboard.press('Shift+ArrowDown')
  await expectToStandOut(cell, await findCell(page, 3, 'To', 'City'))
})
