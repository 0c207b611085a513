/** A file is read while the customer goes on using the bulk page: what is open, typed or focused there stays. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { row, rows } from '#tests/support/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { findCell, grid, openTable, submitButton, tableFigure, upload } from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { intercept } from './intercept.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

/**
 * Files are read when the returned function is called: before, the page asks which columns the customer has matched before. Call it
 * before the page loads.
 */
async function holdFiles(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await intercept(page, '**/api/imports/*', async route => {
    await released
    await route.continue()
  })
  return release
}

const serviceField = (page: Page) => page.getByRole('combobox', { name: 'Service', exact: true })

for (const [screen, viewport] of [
  ['a wide screen', DESKTOP],
  ['a phone', PHONE],
] as const) {
  test.describe(`on ${screen}`, () => {
    test.use({ viewport })

    test('the list of services stays open when the rows of a file arrive', async ({ page }) => {
      const release = await holdFiles(page)
      await page.goto('/main/bulk-order')
      await upload(page, 'labels.csv', csvOf(rows(2)))
      const service = serviceField(page)
      await service.click()
      await service.fill('ground')
      const option = page.getByRole('option', { name: 'USPS Ground Advantage', exact: true })
      await expect(option).toBeVisible()
      release()
      await expect(tableFigure(page, 'Count')).toHaveText('2')
      await expect(service).toBeFocused()
      await expect(service).toHaveValue('ground')
      await option.click()
      await expect(tableFigure(page, 'Price')).toHaveText('$13.00')
    })
  })
}

test('after a large file was chosen by keyboard, its line has the focus', async ({ page }) => {
  const release = await holdFiles(page)
  await page.goto('/main/bulk-order')
  await page.getByLabel('Click or Drag & drop to upload Amazon file / CSV').focus()
  const [head, ...lines] = csvOf(rows(50)).trimEnd().split('\r\n')
  const large = [`${head},NOTES`, ...lines.map(line => `${line},${'word '.repeat(1200)}`)]
  await upload(page, 'large.csv', large.join('\r\n'))
  await expect(page.getByLabel('First rows. You can edit them')).toContainText('Receiver 4')
  release()
  await expect(tableFigure(page, 'Count')).toHaveText('50')
  await expect(page.getByRole('region', { name: 'Files of this table' })).toBeFocused()
})

test('a file does not take the place of a table without a question while a row is edited', async ({
  page,
}) => {
  await openTable(page, rows(2))
  const edit = grid(page).getByRole('button', { name: 'Edit' }).first()
  const name = grid(page).getByRole('textbox', { name: 'To Name', exact: true })
  const question = page.getByRole('dialog', { name: 'Replace the rows in the table?' })
  await edit.click()
  await name.fill('Wanda Osei')
  await upload(page, 'other.csv', csvOf([row(3)]))
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(name).toHaveValue('Wanda Osei')

  await upload(page, 'other.csv', csvOf([row(3)]))
  await question.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  await expect(await findCell(page, 1, 'To', 'Name')).toHaveText('Receiver 3')

  // A row of which nothing was changed is no reason to ask.
  await edit.click()
  await expect(name).toHaveValue('Receiver 3')
  await upload(page, 'labels.csv', csvOf(rows(2)))
  await expect(tableFigure(page, 'Count')).toHaveText('2')
  await expect(await findCell(page, 1, 'To', 'Name')).toHaveText('Receiver 1')
  await expect(submitButton(page)).not.toHaveAttribute('aria-disabled')

  const cell = await findCell(page, 1, 'To', 'Name')
  await cell.dblclick()
  await page.keyboard.type('Wanda Osei')
  await upload(page, 'other.csv', csvOf([row(3)]))
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(cell).toHaveText('Wanda Osei')
})

test('a file that is chosen without a connection is not called unreadable', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
  await page.goto('/main/bulk-order')
  await expect(serviceField(page)).toBeVisible()
  await page.context().setOffline(true)
  await upload(page, 'labels.csv', csvOf(rows(2)))
  await expect(page.getByRole('alert')).toContainText(
    "'labels.csv' can’t be read now: part of this page could not be loaded. Check your connection and reload the page.",
  )
})

test('a file is not called too large because a release has replaced the code for its names', async ({
  page,
}) => {
  await intercept(page, '**/assets/label-text-*', route => route.fulfill({ status: 404 }))
  await page.goto('/main/bulk-order')
  await upload(page, 'labels.csv', csvOf([row(1, { ToRecipientName: 'José' })]))
  await expect(page.getByRole('alert')).toContainText(
    "'labels.csv' can’t be read now: part of this page could not be loaded.",
  )
})
