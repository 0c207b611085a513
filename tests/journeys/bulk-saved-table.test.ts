/** The table that the browser keeps: saved in parts, shared by tabs, and never replaced unread. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { BulkRow } from '#contract/rows.ts'
import { row, rows } from '#tests/support/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { findCell, openTable, tableFigure, upload } from './bulk-page.ts'
import { test } from './customer-fixture.ts'

/** Counts the rows that the page stores, and fails its reads while the mark is set. */
function watchStorage(): void {
  const { put, get } = IDBObjectStore.prototype
  const counted = Object.assign(window, { storedRows: 0, saves: 0 })
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key) {
    if (Array.isArray(key)) counted.storedRows += (value as unknown[]).length
    else if (typeof value === 'object' && value && 'parts' in value) counted.saves += 1
    return put.call(this, value, key)
  }
  IDBObjectStore.prototype.get = function (this: IDBObjectStore, key) {
    if (localStorage.getItem('test.failReads')) throw new DOMException('lost', 'UnknownError')
    return get.call(this, key)
  }
}

type StorageCounts = { storedRows: number; saves: number }
const counts = (page: Page): Promise<StorageCounts> =>
  page.evaluate(() => {
    const { storedRows, saves } = window as unknown as StorageCounts
    return { storedRows, saves }
  })

async function rename(page: Page, at: number, name: string): Promise<void> {
  const { saves } = await counts(page)
  await (await findCell(page, at, 'To', 'Name')).click()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await counts(page)).saves).toBeGreaterThan(saves)
}

test('an edit of a large table stores its part alone, and nothing of another tab is mixed in', async ({
  page,
}) => {
  await page.context().addInitScript(watchStorage)
  await openTable(page, rows(2_500))
  await expect.poll(() => counts(page)).toEqual({ storedRows: 2_500, saves: 1 })
  await rename(page, 1, 'Wanda Osei')
  expect(await counts(page)).toEqual({ storedRows: 3_500, saves: 2 })

  const second = await page.context().newPage()
  await second.goto('/main/bulk-order')
  await expect(tableFigure(second, 'Count')).toHaveText('2,500')
  await expect(await findCell(second, 1, 'To', 'Name')).toContainText('Wanda Osei')
  await rename(second, 2, 'Ines Baker')
  expect(await counts(second)).toEqual({ storedRows: 1_000, saves: 1 })
  await rename(page, 3, 'Otto Lind')
  expect((await counts(page)).storedRows).toBe(6_000)

  await second.reload()
  await expect(await findCell(second, 1, 'To', 'Name')).toContainText('Wanda Osei')
  await expect(await findCell(second, 2, 'To', 'Name')).toContainText('Receiver 2')
  await expect(await findCell(second, 3, 'To', 'Name')).toContainText('Otto Lind')
})

test('a large table is there again when the page closes while it is being stored', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key) {
      if (Array.isArray(key) && !sessionStorage.getItem('test.closed')) {
        sessionStorage.setItem('test.closed', 'yes')
        setTimeout(() => location.reload())
      }
      return put.call(this, value, key)
    }
  })
  await page.goto('/main/bulk-order')
  const closed = page.waitForEvent('load')
  await upload(page, 'labels.csv', csvOf(rows(20_000)))
  await closed
  await expect(tableFigure(page, 'Count')).toHaveText('20,000')
})

test('the table is stored once more when the page closes while a save is being committed', async ({
  page,
}) => {
  await page.addInitScript(watchStorage)
  await openTable(page, rows(2_500))
  await expect.poll(() => counts(page)).toEqual({ storedRows: 2_500, saves: 1 })
  await page.evaluate(() => {
    const { commit } = IDBTransaction.prototype
    IDBTransaction.prototype.commit = function (this: IDBTransaction) {
      IDBTransaction.prototype.commit = commit
      commit.call(this)
      window.dispatchEvent(new Event('pagehide'))
    }
  })
  await rename(page, 1, 'Wanda Osei')
  await expect.poll(() => counts(page)).toEqual({ storedRows: 6_000, saves: 3 })
})

test('a table that the version before has stored is read', async ({ page, customer }) => {
  await page.goto('/main/wallet')
  const saved: BulkRow = row(1, { ToRecipientName: 'Ines Baker' })
  await page.evaluate(
    ([userId, one]) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('evenpost-bulk', 1)
        opening.onupgradeneeded = () => opening.result.createObjectStore('drafts')
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('drafts', 'readwrite')
          const rows = [{ ...one, id: 'row-0', line: 1, notices: [] }]
          transaction.objectStore('drafts').put({ key: 'before', rows, service: '' }, userId)
          transaction.oncomplete = resolve
          transaction.onabort = reject
        }
      }),
    [customer.user._id, saved] as const,
  )
  await page.goto('/main/bulk-order')
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  await expect(await findCell(page, 1, 'To', 'Name')).toContainText('Ines Baker')
})

test('a saved table that cannot be read is not replaced by the next one', async ({ page }) => {
  await page.addInitScript(watchStorage)
  await openTable(page, rows(2))
  await expect.poll(async () => (await counts(page)).saves).toBe(1)
  const failReads = (fails: boolean) =>
    page.evaluate(mark => localStorage.setItem('test.failReads', mark), fails ? 'yes' : '')
  await failReads(true)
  await page.reload()
  const title = page.getByRole('heading', { name: 'We couldn’t open your saved table' })
  await expect(title).toBeVisible()
  await failReads(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('2')

  await failReads(true)
  await page.reload()
  await page.getByRole('button', { name: 'Start a new table' }).click()
  await upload(page, 'other.csv', csvOf(rows(3)))
  await expect(tableFigure(page, 'Count')).toHaveText('3')
  await expect(page.getByText('This browser can’t save this table')).toBeVisible()
  await failReads(false)
  page.once('dialog', dialog => void dialog.accept())
  await page.reload()
  await expect(tableFigure(page, 'Count')).toHaveText('2')
})
