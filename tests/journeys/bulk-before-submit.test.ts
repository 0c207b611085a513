/** What the bulk page sends of a seller's files before the seller has pressed Submit: no name, street or phone. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import { addSkus } from '#contract/skus.ts'
import { sellerFile } from '#tests/support/seller-files.ts'
import {
  expectOrderEnd,
  expectPrice,
  findCell,
  submitButton,
  tableFigure,
  upload,
} from './bulk-page.ts'
import { saveSender, test } from './customer-fixture.ts'
import { choose } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const MEASURES = { weight: 1, length: 9, width: 6, height: 3, maxQty: 9, description: '' }
const UNKNOWN_COLUMNS = ['Ref', 'Klant', 'Road', 'Town', 'ST', 'Code', 'lb', 'L', 'W', 'H']
const UNKNOWN_ORDER = ['A-1', 'Wilma Quandt', '1 Kestrel Row', 'Bath', 'ME', '04530', 2, 9, 6, 3]

/** Everything that the page and its workers send, with what its sockets send. */
function recordRequests(page: Page): string[] {
  const sent: string[] = []
  page.context().on('request', request => {
    sent.push(
      `${request.method()} ${decodeURIComponent(request.url())} ${request.postData() ?? ''}`,
    )
  })
  page.on('websocket', socket =>
    socket.on('framesent', ({ payload }) => sent.push(`socket ${payload.toString()}`)),
  )
  return sent
}

test.use({ dollars: 200 })

test('nothing of a file leaves the page before Submit', async ({ page, customer }) => {
  const { api, token, user } = customer
  const params = { userId: user._id }
  const shopify = sellerFile('shopify', 4)
  const skus = [...new Set(shopify.rows.flatMap(row => row.skuNumber ?? []))]
  await saveSender(customer)
  const parsedData = skus.map(sku => ({ sku, ...MEASURES }))
  await api.call(addSkus, { params, body: { parsedData } }, token)
  const names = new Set([
    ...shopify.rows.flatMap(({ ToRecipientName = '', ToStreet1 = '', ToPhone = '' }) => [
      ToRecipientName,
      ToStreet1,
      ToPhone,
    ]),
    ...UNKNOWN_ORDER.slice(1, 3).map(String),
    'Zelda Quist',
  ])
  names.delete('')
  const sent = recordRequests(page)
  const told = () =>
    [...names].filter(name =>
      sent.some(text => {
        const inJson = JSON.stringify(name).slice(1, -1)
        return [name, inJson].some(part => text.toLowerCase().includes(part.toLowerCase()))
      }),
    )

  await page.goto('/main/bulk-order')
  await choose(page, page, 'Service', 'USPS Ground Advantage')
  await upload(page, shopify.fileName, shopify.text(shopify.header, shopify.records))
  await expect(tableFigure(page, 'Price')).toHaveText(/\$/)
  const before = 4
  await page.getByRole('radio', { name: 'Order' }).check()
  await expect(tableFigure(page, 'Count')).toHaveText(String(before))
  await page
    .getByRole('region', { name: 'Files of this table' })
    .locator('input[aria-label="Add file"]')
    .setInputFiles({
      name: 'week.xlsx',
      mimeType: '',
      buffer: Buffer.from(
        await writeXlsx({ sheets: [{ name: 'Orders', rows: [UNKNOWN_COLUMNS, UNKNOWN_ORDER] }] }),
      ),
    })
  const matching = page.getByRole('dialog', { name: 'Match columns' })
  const uses = {
    Klant: 'To Name',
    Road: 'To Street',
    lb: 'Weight',
    L: 'Length',
    W: 'Width',
    H: 'Height',
  }
  await matching.getByText(/columns? matched$/).click()
  for (const [name, label] of Object.entries(uses))
    await matching.getByRole('combobox', { name, exact: true }).selectOption({ label })
  await matching.getByRole('button', { name: 'Use these columns' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText(String(before + 1))

  // An edit, a search, a filter and a comparison of prices are of this page alone too.
  await (await findCell(page, 1, 'To', 'Name')).dblclick()
  await page.keyboard.type('Zelda Quist')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Row updated successfully!')
  await page.keyboard.press('ControlOrMeta+F')
  await page.keyboard.type('zelda quist')
  await expect(page.getByText(`1 of ${before + 1} rows`).first()).toBeVisible()
  await page.getByRole('button', { name: 'Show all rows' }).click()
  await page.getByRole('button', { name: 'Compare services' }).click()
  const prices = page.getByRole('dialog', { name: 'Compare services' })
  await expect(prices.getByText('Cheapest that fits each row').first()).toBeVisible()
  await expect(prices.getByRole('button', { name: 'Close' })).not.toBeFocused()
  await page.keyboard.press('Tab')
  const cheapest = prices.getByRole('listitem').filter({ hasText: 'Cheapest that fits each row' })
  await expect(cheapest.getByRole('button')).toBeFocused()
  await page.keyboard.press('Escape')
  await (await findCell(page, 1, 'To', 'City')).click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('button', { name: 'Compare services' }).click()
  await expect(prices.getByRole('radio', { name: 'Selected 2 rows' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expectPrice(page)
  expect(sent.join('\n')).toContain('/api/orders/price/')
  expect(told()).toEqual([])

  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  expect(told()).toEqual(expect.arrayContaining(['Zelda Quist', 'Wilma Quandt', '1 Kestrel Row']))
})
