/** The main job without a mouse: everything is reached by Tab and done by keys. */
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { rows } from '#tests/support/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { findCell, tableFigure } from './bulk-page.ts'
import { buyBulkOrder, test, visitorTest } from './customer-fixture.ts'
import { balance, tabTo } from './page-helpers.ts'

async function typeInto(
  page: Page,
  place: Page | Locator,
  values: Record<string, string>,
): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await tabTo(page, place.getByRole('textbox', { name: label, exact: true }))
    await page.keyboard.type(value)
  }
}

/** Opens a list by keys and takes the option by its first letters or by arrows. */
async function pick(page: Page, place: Locator, label: string, option: string): Promise<void> {
  await tabTo(page, place.getByRole('combobox', { name: label, exact: true }))
  await page.keyboard.press('ArrowDown')
  const wanted = page.getByRole('option', { name: option, exact: true })
  await expect(wanted).toBeVisible()
  const isChosen = async () => (await wanted.getAttribute('data-combobox-selected')) !== null
  const chosen = () =>
    page.evaluate(() => document.querySelector('[role=option][data-combobox-selected]')?.id ?? null)
  for (let steps = 0; steps < 70 && !(await isChosen()); steps++) {
    const before = await chosen()
    await page.keyboard.press('ArrowDown')
    await expect.poll(chosen).not.toBe(before)
  }
  await page.keyboard.press('Enter')
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

visitorTest('a visitor without a mouse registers, tops up and buys a label', async ({ page }) => {
  await page.goto('/register')
  await typeInto(page, page, {
    Name: 'Dana Cole',
    Email: `keys-${crypto.randomUUID()}@example.com`,
    Password: 'a long enough passphrase',
    'Confirm Password': 'a long enough passphrase',
  })
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Skip for now' }))
  await expect(balance(page)).toContainText('$0.00')

  const places = page.getByRole('navigation', { name: 'Main' })
  await press(page, places.getByRole('link', { name: 'Deposit', exact: true }))
  await press(page, page.getByRole('button', { name: 'Pay with Bitcoin' }))
  const payment = page.getByTitle('Sandbox payment').contentFrame()
  await press(page, payment.getByRole('button', { name: 'Change amount' }))
  await expect(payment.getByRole('textbox', { name: 'Amount in US dollars' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('20')
  await press(page, payment.getByRole('button', { name: 'Pay $20.00' }))
  await expect(payment.getByText('Paid: $20.00 is in your balance.')).toBeVisible()
  await press(page, payment.getByRole('button', { name: 'Close' }))
  await expect(balance(page)).toContainText('$20.00')

  await press(page, places.getByRole('link', { name: 'Order Label', exact: true }))
  const parcel = page.getByRole('region', { name: 'Package Information' })
  await pick(page, parcel, 'Service', 'USPS Priority Mail')
  await typeInto(page, parcel, {
    'Weight (lb)': '2',
    'Length (in)': '9',
    'Width (in)': '6',
    'Height (in)': '3',
  })
  const sender = page.getByRole('region', { name: 'From Address' })
  await typeInto(page, sender, { Name: 'Dana Cole', Street: '100 Congress Ave', City: 'Austin' })
  await pick(page, sender, 'State', 'TX · Texas')
  await typeInto(page, sender, { Zip: '78701' })
  const receiver = page.getByRole('region', { name: 'To Address' })
  await typeInto(page, receiver, {
    Name: 'June Rivera',
    Street: '2210 E Olive Ave',
    City: 'Fresno',
    Zip: '93701',
  })
  await expect(page.getByRole('region', { name: 'Price and order' })).toContainText('$9.50')
  await press(page, page.getByRole('button', { name: 'Order Label' }))
  const bought = page.getByRole('dialog', { name: 'Label Created Successfully!' })
  await press(page, bought.getByRole('button', { name: 'Close' }))
  await expect(bought).toBeHidden()
  await expect(balance(page)).toContainText('$10.50')
})

/** Names of what has the focus and is behind something else, on a way through the page by a key. */
async function hiddenStops(page: Page, key: string): Promise<string[]> {
  const hidden: string[] = []
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press(key)
    const name = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body) return null
      const { left, top, width, height } = focused.getBoundingClientRect()
      const seen = document.elementFromPoint(left + width / 2, top + height / 2)
      if (seen && (focused.contains(seen) || seen.contains(focused))) return ''
      return `${focused.getAttribute('aria-label') ?? focused.textContent} ${Math.round(top)}`
    })
    if (name === null) break
    if (name !== '') hidden.push(name)
  }
  return hidden
}

test.describe('with money in the wallet', () => {
  test.use({ dollars: 200 })

  test('what has the focus is behind no header and no bar', async ({ page, customer }) => {
    await buyBulkOrder(customer, rows(15))
    await page.setViewportSize({ width: 1280, height: 600 })
    for (const route of ['/main/end-of-day', '/main/order-label', '/main/orders']) {
      await page.goto(route)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
      expect(await hiddenStops(page, 'Tab'), route).toEqual([])
      expect(await hiddenStops(page, 'Shift+Tab'), route).toEqual([])
    }
  })

  test('a customer without a mouse fixes a table and submits it', async ({ page }) => {
    await page.goto('/main/bulk-order')
    const table = {
      name: 'orders.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csvOf(rows(3, n => (n === 2 ? { ToCity: '' } : {})))),
    }
    // The browser needs a moment to hand its dialog over, so this begins before the way to the button.
    const chooser = page.waitForEvent('filechooser')
    await tabTo(page, page.getByRole('button', { name: /Click or Drag & drop/ }))
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(table)
    await pick(page, page.getByRole('main'), 'Service', 'USPS Ground Advantage')
    await press(page, page.getByRole('button', { name: 'Next error' }))
    await expect(await findCell(page, 2, 'To', 'City')).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Clovis')
    await page.keyboard.press('Enter')
    await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Clovis')
    await expect(tableFigure(page, 'Price')).toHaveText('$19.50')
    await press(page, page.getByRole('button', { name: 'Submit' }))
    const done = page.getByRole('dialog', { name: 'Order Processed Successfully!' })
    await press(page, done.getByRole('button', { name: 'Close' }))
    await expect(balance(page)).toContainText('$180.50')
  })
})

visitorTest(
  'without the referral code the keyboard goes on at the first field',
  async ({ page }) => {
    await page.goto('/register?ref=SPRING')
    const remove = page.getByRole('button', { name: 'Remove' })
    await remove.focus()
    await page.keyboard.press('Enter')
    await expect(remove).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  },
)
