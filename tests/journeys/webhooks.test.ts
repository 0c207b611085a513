import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { createWebhook, testWebhook } from '#contract/webhooks.ts'
import { createInspector } from './accessibility-checks.ts'
import { test } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { holdRequests, intercept } from './intercept.ts'
import { fill } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

/** The page behind it is judged in account.test.ts. */
const DIALOG = '[role=dialog]'

const OLDER = '**/deliveries?*after=*'

type ReceivedMessage = { text: string; headers: IncomingHttpHeaders }

test('a seller adds a webhook, sees the answer to a test, and sends a failed message again', async ({
  page,
  customer,
}) => {
  const received: ReceivedMessage[] = []
  let status = 500
  const program = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    received.push({ text: Buffer.concat(chunks).toString(), headers: request.headers })
    response.writeHead(status).end(status === 500 ? 'no such table' : '')
  })
  await once(program.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/hooks`
  const inspector = createInspector(page)

  await page.goto('/main/account#webhooks')
  const section = page.getByRole('region', { name: 'Webhooks' })
  const dialog = page.getByRole('dialog')
  await expect(section.getByText('No webhooks yet')).toBeVisible()
  await section.getByRole('button', { name: 'Add webhook' }).click()
  await fill(page, { URL: 'https://192.168.0.7/hooks' })
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByText('192.168.0.7 is a private or local address')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: 'A label was bought' })).toBeHidden()
  await expect(dialog.getByText('label.bought', { exact: true })).toBeVisible()
  await expect(dialog.getByText('a signing secret. It is shown only once.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'All events (7)' }).uncheck()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByText('Choose at least one')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'A label was bought' }).check()
  await inspector.look('the form of a webhook', [1440], DIALOG)
  await dialog.getByRole('checkbox', { name: 'All events (7)' }).check()
  await expect(dialog.getByRole('checkbox', { name: 'A label was bought' })).toBeHidden()
  await fill(page, { URL: url })
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
  await dialog.getByLabel('I have saved this secret').check()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await expect(section.getByRole('row', { name: 'balance.low' })).toContainText(new URL(url).host)

  await section.getByRole('button', { name: 'Send test' }).click()
  await expect(dialog.getByText('no such table')).toBeVisible()
  const verify = (message: ReceivedMessage) =>
    new Webhook(secret).verify(message.text, message.headers as Record<string, string>)
  expect(verify(received[0]!)).toMatchObject({ type: 'webhook.test' })
  await dialog.getByRole('button', { name: 'Close' }).click()

  status = 204
  await section.getByRole('button', { name: 'Deliveries' }).click()
  await dialog.locator('summary').click()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(dialog.getByText('Sent again by you')).toBeVisible()
  await expect(dialog.locator('summary').getByText('Delivered')).toBeVisible()
  expect(verify(received[1]!)).toEqual(verify(received[0]!))
  expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id'])
  await inspector.look('the deliveries of a webhook', [320], DIALOG)
  await dialog.getByRole('button', { name: 'Close' }).click()

  status = 500
  await customer.api.pay(customer, 60)
  await expect.poll(() => received.map(({ text }) => text).join()).toContain('deposit.settled')
  await expect(async () => {
    await page.reload()
    await expect(section.getByText(/^Last failure\s*Error response \(HTTP 500\)/)).toBeVisible({
      timeout: 15_000,
    })
  }).toPass()
  await inspector.look('a webhook that fails', [1440, 320], '#webhooks')
  status = 204
  await customer.api.pay(customer, 60)
  await expect(section.getByText('Failing', { exact: true })).toBeHidden()
  await expect(section.getByText('On', { exact: true })).toBeVisible()
  await section.getByRole('button', { name: `Actions of ${url}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(section.getByText('No webhooks yet')).toBeVisible()
  expect(inspector.found).toEqual([])
  program.close()
})

/** The deliveries of a webhook that no program answers: 20 of 21 are listed. */
async function openManyDeliveries(page: Page, { api, user, token }: Customer) {
  const params = { userId: user._id }
  const body = { url: 'http://127.0.0.1:9/hooks', types: ['label.bought' as const] }
  const { _id: webhookId } = (await api.call(createWebhook, { params, body }, token)).body
  for (let messages = 0; messages < 21; messages++)
    await api.call(testWebhook, { params: { ...params, webhookId } }, token)
  await page.goto('/main/account#webhooks')
  const section = page.getByRole('region', { name: 'Webhooks' })
  await section.getByRole('button', { name: 'Deliveries' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deliveries' })
  const rows = dialog.getByRole('list', { name: 'Deliveries' }).locator('> li')
  await expect(rows).toHaveCount(20)
  return { dialog, rows }
}

test('older deliveries follow on request; a failure is told, and the keyboard goes on at the first of them', async ({
  page,
  customer,
}) => {
  const { dialog, rows } = await openManyDeliveries(page, customer)
  await intercept(page, OLDER, route => route.fulfill({ status: 422, json: { message: 'No' } }))
  await dialog.getByRole('button', { name: 'Show more' }).press('Enter')
  const alert = dialog.getByRole('alert')
  await expect(alert).toContainText('We couldn’t load more deliveries.')
  await page.unroute(OLDER)
  await alert.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(rows).toHaveCount(21)
  await expect(rows.last()).toBeFocused()
  await expect(alert).toBeHidden()
})

test('a message is sent again while older ones load, and both are shown', async ({
  page,
  customer,
}) => {
  const { dialog, rows } = await openManyDeliveries(page, customer)
  const { sent, release } = await holdRequests(page, 'GET', OLDER)
  await dialog.getByRole('button', { name: 'Show more' }).click()
  await sent
  await rows.first().locator('summary').click()
  await rows.first().getByRole('button', { name: 'Send again' }).click()
  await expectToast(page, 'Sent again: No connection')
  release()
  await expect(rows).toHaveCount(21)
  await expect(rows.first().getByText('Sent again by you')).toBeVisible()
})
