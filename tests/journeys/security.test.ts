/** What only a browser can show: lines 6, 45 and 49 of docs/security.md. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { setUserDetails } from '#contract/accounts.ts'
import { saveAddress } from '#contract/addresses.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import { placeOrder } from '#contract/orders.ts'
import { addSkus } from '#contract/skus.ts'
import { row, singleOrderBody } from '#tests/support/rows.ts'
import { test as administrator } from './admin-fixture.ts'
import { test as customerTest, visitorTest } from './customer-fixture.ts'

visitorTest(
  '06 a password is hidden, may be pasted, and password managers know which one is asked for',
  async ({ page }) => {
    for (const [path, kinds] of [
      ['/login', ['current-password']],
      ['/register', ['new-password', 'new-password']],
      ['/reset-password?token=abc', ['new-password', 'new-password']],
    ] as const) {
      await page.goto(path)
      const fields = page.locator('input[type=password]')
      await expect(fields).toHaveCount(kinds.length)
      for (const [i, kind] of kinds.entries()) {
        const field = fields.nth(i)
        await expect(field).toHaveAttribute('autocomplete', kind)
        const taken = await field.evaluate(element =>
          element.dispatchEvent(new ClipboardEvent('paste', { cancelable: true, bubbles: true })),
        )
        expect(taken, 'pasting is let through').toBe(true)
      }
    }
  },
)

const BAIT = '<img src=x onerror="window.owned=1">'

/** Looks at a page until the bait stands there as text, and that it is nothing else. */
async function isText(page: Page, path: string, shown = true): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  if (shown)
    await expect(
      page.getByText(BAIT).or(page.locator(`[title*="onerror"]`)).first(),
      path,
    ).toBeVisible()
  expect(
    await page.evaluate(() => [
      document.querySelectorAll('img[src="x"]').length,
      'owned' in window,
    ]),
    path,
  ).toEqual([0, false])
}

administrator(
  '45 markup in a name is text on every page, for its customer and for the administrator',
  async ({ page, customer, browser, baseURL, admin }) => {
    const { api } = customer
    const { token, user } = await api.register(BAIT)
    const params = { userId: user._id }
    await api.pay({ token, user }, 100)
    await api.call(
      placeOrder,
      {
        body: singleOrderBody(user._id, {
          receiver: { receiver_name: BAIT, receiver_company: BAIT },
        }),
      },
      token,
    )
    const { orderId } = (await api.call(initBatch, { body: params }, token)).body
    const orderData = [
      row(1, { ToRecipientName: BAIT, orderItemId: BAIT, ToStreet2: 'SANDBOX REFUSE' }),
      row(2, { ToRecipientName: BAIT }),
    ]
    expect(
      (await api.call(processBatch, { params, body: { orderId, orderData } }, token)).status,
    ).toBe(202)
    await api.call(
      addSkus,
      {
        params,
        body: { parsedData: [{ sku: BAIT, maxQty: 1, weight: 1, length: 1, width: 1, height: 1 }] },
      },
      token,
    )
    const formData = {
      address_id: BAIT,
      name: BAIT,
      street: '1 Main St',
      city: 'Austin',
      state: 'TX',
      zip: '78701',
    }
    await api.call(saveAddress, { params, body: { formData } }, token)
    await api.call(setUserDetails, { params, body: { balance: 77, reason: BAIT } }, admin.token)

    const users = '/admin/user-management'
    // Others use the same server: the newest entries may all be theirs.
    for (const path of [
      `${users}?search=${user.email}`,
      `${users}/${user._id}/statement`,
      `/admin/audit?userId=${user._id}`,
      `/admin/order-label-management?userId=${user._id}`,
    ])
      await isText(page, path)
    await isText(page, '/admin/dashboard', false)

    const origins = [{ origin: baseURL!, localStorage: [{ name: 'evenpost.token', value: token }] }]
    const context = await browser.newContext({
      storageState: { cookies: [], origins },
      baseURL: baseURL!,
    })
    const own = await context.newPage()
    for (const path of [
      '/main/dashboard',
      '/main/orders',
      '/main/wallet',
      '/main/sku',
      '/main/address',
    ])
      await isText(own, path)
    for (const path of [
      '/main/order-label',
      '/main/bulk-order',
      '/main/batch-orders',
      '/main/account',
    ])
      await isText(own, path, false)
    await context.close()
  },
)

customerTest(
  '49 only its own page closes the payment dialog, not a message from another page',
  async ({ page }) => {
    await page.goto('/main/deposit')
    await page.getByRole('button', { name: 'Pay with Bitcoin' }).click()
    const dialog = page.getByTitle('Sandbox payment')
    const close = dialog.contentFrame().getByRole('button', { name: 'Close' })
    await expect(close).toBeVisible()
    await page.evaluate(() => {
      const frame = document.querySelector<HTMLIFrameElement>('iframe[name=btcpay]')!
      const say = (origin: string, source: Window | null) =>
        window.dispatchEvent(new MessageEvent('message', { data: 'close', origin, source }))
      say('https://evil.example', frame.contentWindow)
      say('null', frame.contentWindow)
      say(location.origin, window)
      say(location.origin, null)
      return new Promise(resolve => requestAnimationFrame(resolve))
    })
    await expect(close).toBeVisible()
    await close.click()
    await expect(dialog).toBeHidden()
  },
)
