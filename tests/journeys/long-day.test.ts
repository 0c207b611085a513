/** What a browser does to a page that is open for a whole day: it translates it, keeps it for Back, or refuses to store anything. */
import { expect } from '@playwright/test'
import { rows } from '#tests/support/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { expectOrderEnd, openTable, submitTable, tableFigure, upload } from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { balance } from './page-helpers.ts'

test.use({ dollars: 50 })

/** Puts elements in the place of all texts, as Chrome's translation does; here they say the same words. */
function translate(): void {
  const replace = (text: Text) => {
    if (text.data.trim() === '' || text.parentElement?.closest('font, script, style, textarea'))
      return
    const outer = document.createElement('font')
    outer.appendChild(document.createElement('font')).textContent = text.data
    text.replaceWith(outer)
  }
  const replaceIn = (node: Node) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const found: Text[] = node instanceof Text ? [node] : []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    for (const text of found) if (text.isConnected) replace(text)
  }
  document.addEventListener('DOMContentLoaded', () => {
    replaceIn(document.body)
    new MutationObserver(changes =>
      setTimeout(() => {
        for (const { addedNodes } of changes) for (const node of addedNodes) replaceIn(node)
      }),
    ).observe(document.body, { childList: true, subtree: true })
  })
}

test('a page that the browser translates works on, and its figures are the current ones', async ({
  page,
}) => {
  await page.addInitScript(translate)
  await openTable(page, rows(2))
  await expect(tableFigure(page, 'Count')).toHaveText('2')
  await expect(page.locator('font').first()).toBeAttached()
  await submitTable(page)
  const done = await expectOrderEnd(page, 'Order Processed Successfully!')
  await expect(done).toContainText('2 labels ready')
  await expect(balance(page)).toContainText('$37.00')
  await done.getByRole('button', { name: 'Close' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('0')
})

test('Back shows nothing of a customer after another user has signed in', async ({
  page,
  customer,
}) => {
  await page.goto('/main/wallet')
  await expect(balance(page)).toContainText('$50.00')
  const { token } = await customer.api.register('Otto Lindqvist')
  // A page that the browser kept for Back is not told what other pages stored meanwhile.
  await page.evaluate(now => {
    localStorage.setItem('evenpost.token', now)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  }, token)
  await expect(balance(page)).toContainText('$0.00')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByText('Otto Lindqvist')).toBeVisible()
})

const CANNOT_SAVE = 'This browser can’t save this table, so a reload loses it.'

test('the bulk page opens in a browser whose storage never answers', async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () =>
      Object.assign(new EventTarget(), { readyState: 'pending' }) as IDBOpenDBRequest
  })
  await page.clock.install()
  await page.goto('/main/bulk-order')
  await expect(page.getByText('Loading')).toBeVisible()
  await page.clock.fastForward(10_000)
  await page.getByRole('button', { name: 'Start a new table' }).click()
  await upload(page, 'labels.csv', csvOf(rows(2)))
  await expect(page.getByRole('status').filter({ hasText: CANNOT_SAVE })).toBeVisible()
})

test('the bulk page works in a browser that stores nothing for the site', async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    for (const name of ['indexedDB', 'BroadcastChannel'])
      Object.defineProperty(window, name, { get: refuse })
  })
  await openTable(page, rows(2))
  await expect(page.getByRole('status').filter({ hasText: CANNOT_SAVE })).toBeVisible()
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).dismiss()
  await submitTable(page)
  await expectOrderEnd(page, 'Order Processed Successfully!')
  await expect(balance(page)).toContainText('$37.00')
})
