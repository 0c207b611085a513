/** The bulk page as a customer uses it: files made from rows, the grid read by its heads, the order followed to its end. */
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import Papa from 'papaparse'
import { isTerminal } from '#contract/batch-status.ts'
import type { BatchProgress } from '#contract/batches.ts'
import type { BulkRow } from '#contract/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { intercept } from './intercept.ts'
import { choose } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

/** Lines of a marketplace report, tab-separated, without quotes. */
export function amazonReportOf(lines: readonly Record<string, string>[]): string {
  const heads = Object.keys(lines[0] ?? {})
  return [heads, ...lines.map(line => heads.map(head => line[head] ?? ''))]
    .map(cells => `${cells.join('\t')}\r\n`)
    .join('')
}

/** Chooses a file for the table. */
export const upload = (page: Page, name: string, text: string): Promise<void> =>
  page
    .getByLabel('Click or Drag & drop to upload Amazon file / CSV')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** Goes to the bulk page with these rows and their service. */
export async function openTable(
  page: Page,
  rows: readonly BulkRow[],
  service = 'USPS Ground Advantage',
): Promise<void> {
  await page.goto('/main/bulk-order')
  await choose(page, page, 'Service', service)
  await upload(page, 'labels.csv', csvOf(rows))
  await expectToast(page, 'File Uploaded successfully.')
}

export const grid = (page: Page): Locator =>
  page.getByRole('grid', { name: 'Rows of this bulk order' })

/** The cell of a row, counted from 1, under a group and a head: `cell(page, 17, 'To', 'Zip')`. */
export async function findCell(
  page: Page,
  row: number,
  group: string,
  head: string,
): Promise<Locator> {
  const place = async (name: string, after = 1) => {
    const heads = grid(page).getByRole('columnheader', { name, exact: true })
    const places = await heads.evaluateAll(all =>
      all.map(one => Number(one.getAttribute('aria-colindex'))),
    )
    return places.filter(at => at >= after).sort((a, b) => a - b)[0]
  }
  let column: number | undefined
  const findColumn = async () => {
    const start = await place(group)
    return (column = start && (await place(head, start)))
  }
  await expect.poll(findColumn, `the column ${group} ${head} of the grid`).toBeDefined()
  return grid(page).locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column}"]`)
}

export const submitButton = (page: Page): Locator => page.getByRole('button', { name: 'Submit' })

/** A figure of the dark bar below the table. */
export const tableFigure = (page: Page, name: 'Count' | 'Price'): Locator =>
  page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd')

/** Waits until all rows have a price: Submit waits for it some seconds only, and then sends nothing. */
export async function expectPrice(page: Page): Promise<void> {
  const price = tableFigure(page, 'Price')
  await expect(price).toHaveText(/^\$/)
  await expect(price).not.toHaveAttribute('aria-busy')
}

/** Submits a table that may still be asking for its price. */
export async function submitTable(page: Page): Promise<void> {
  await expectPrice(page)
  await submitButton(page).click()
}

/** The overlay at full size, under one of its titles. */
export const progressDialog = (page: Page, title: string | RegExp): Locator =>
  page.getByRole('dialog', { name: title })

/** An order before its last label: when the server is asked about it, it may have ended. */
const beforeEnd = (order: BatchProgress): BatchProgress => ({
  ...order,
  status: 'processing',
  processedCount: order.totalCount - 1,
  failedCount: 0,
  fileData: null,
})

/** An order as one that is in progress now. */
export const asRunning = (order: BatchProgress): BatchProgress & { startedAt: string } => ({
  ...beforeEnd(order),
  startedAt: new Date().toISOString(),
})

/**
 * Hides the end of its order from a page until the returned function is called: an order in progress that a journey looks at would
 * otherwise end when the late carrier answers, on a slow machine before the page has loaded. Call it before the page loads. `running`:
 * the order that the page is told is in progress (see `asRunning`), for a page that does not know it yet.
 */
export async function holdOrderEnd(
  page: Page,
  running?: BatchProgress & { startedAt: string },
): Promise<() => Promise<void>> {
  // Without live events, the page asks each second.
  await page.routeWebSocket(/\/socket\.io\//, () => {})
  await intercept(page, '**/api/orders/bulk/status/**', async route => {
    const response = await route.fetch()
    if (!response.ok()) return route.fulfill({ response })
    const json = (await response.json()) as BatchProgress
    await route.fulfill({ response, json: isTerminal(json.status) ? beforeEnd(json) : json })
  })
  if (running)
    await intercept(page, '**/api/orders/bulk/running/**', route =>
      route.fulfill({ json: { running } }),
    )
  // An answer that is still on its way would be an error of a page that has been closed.
  return () => page.unrouteAll({ behavior: 'wait' })
}

/** Waits for the end of an order. */
export async function expectOrderEnd(page: Page, title: string): Promise<Locator> {
  const dialog = progressDialog(page, title)
  await expect(dialog).toBeVisible({ timeout: 600_000 })
  return dialog
}

/** Rows of a result file by its heads. */
export function resultsOf(text: string): Record<string, string>[] {
  const { data, errors } = Papa.parse<Record<string, string>>(text.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: true,
  })
  expect(errors).toEqual([])
  return data
}

/** A figure of the overlay: 'Processed', 'Failed' or 'Total'. */
export const progressFigure = (dialog: Locator, name: string): Locator =>
  dialog.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd')

/** An entry of the menu beside the table's title. */
export async function chooseTableAction(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Draft and reset' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
