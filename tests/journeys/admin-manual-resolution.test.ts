import { expect } from '@playwright/test'
import pg from 'pg'
import { verifySession } from '#contract/accounts.ts'
import { listAllOrders } from '#contract/orders-admin.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
import { visitorTest } from './customer-fixture.ts'
import { expectToast } from './toasts.ts'

// A server of its own, because its carrier never responds.
type OwnServer = ServerProcess & { runSql: (statement: string) => Promise<void> }

const test = visitorTest.extend<object, { own: OwnServer }>({
  own: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter
    async ({}, give) => {
      const folder = await createDataFolder()
      const app = await startServer(folder.path, {
        CARRIER_TIMEOUT_MS: '200',
        SANDBOX_CARRIER_FAULTS: JSON.stringify({ silentAfterPurchases: 0, silentLookUp: 1 }),
      })
      const postgres = await startPostgres({
        dataDir: folder.path,
        log: () => {},
        exclusive: false,
      })
      const books = new pg.Client(postgres.ownerUrl)
      await books.connect()
      await give({ ...app, runSql: async statement => void (await books.query(statement)) })
      await books.end()
      await app.stop('SIGTERM')
      await folder.forget()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ own }, give) => give(own.url),
  storageState: async ({ own }, give) => {
    const localStorage = [{ name: 'evenpost.token', value: (await own.admin()).token }]
    await give({ cookies: [], origins: [{ origin: own.url, localStorage }] })
  },
})

test('an administrator resolves a label that the carrier does not answer for, with a reason', async ({
  page,
  own,
}) => {
  const { found, look } = createInspector(page)
  const dana = await own.register('Dana Cole')
  await own.pay(dana, 50)
  const { token } = await own.admin()
  const placed = own.call(placeOrder, { body: singleOrderBody(dana.user._id) }, dana.token)
  const unknown = async () =>
    (await own.call(listAllOrders, { query: { state: 'unknown' } }, token)).body.orders.map(
      ({ _id }) => _id,
    )
  await expect.poll(async () => (await unknown()).length).toBe(1)
  const [id] = await unknown()
  await page.goto(`/admin/order-label-management/${id}`)
  await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resolve manually' })).toHaveCount(0)
  const facts = page.getByRole('region', { name: 'Details' })
  await expect(facts).toContainText('Carrier costUnknownMarginUnknown')
  await own.runSql(
    `update shipment_order set unknown_since = unknown_since - interval '11 minutes'`,
  )

  await page.getByRole('button', { name: 'Resolve manually' }).click()
  const question = page.getByRole('dialog', { name: 'Resolve this label manually?' })
  await expect(question).toContainText(
    'The $9.50 on hold is charged, and the customer gets the label.',
  )
  await look('question')
  await question.getByRole('button', { name: 'Resolve' }).click()
  await expect(question).toContainText('Enter the tracking number')
  await expect(question).toContainText('Enter a reason')
  await question.getByRole('textbox', { name: 'Tracking number' }).fill('9400 1001')
  await question.getByRole('textbox', { name: 'Reason' }).fill('It stands in the carrier’s list')
  await question.getByRole('button', { name: 'Resolve' }).click()
  await expect(question).toContainText('This is not a sandbox tracking number')
  await question.getByRole('textbox', { name: 'Tracking number' }).fill(sandboxTracking(9_001))
  await question.getByRole('button', { name: 'Resolve' }).dblclick()
  await expectToast(page, 'Resolved; the label is valid')
  await expect(question).toBeHidden()
  const story = page.getByRole('region', { name: 'History' }).getByRole('listitem')
  await expect(
    story.filter({ hasText: 'Resolved manually: the carrier sold the label' }),
  ).toContainText('by Administrator')
  await expect(story.filter({ hasText: 'Resolved manually' })).toContainText(
    'It stands in the carrier’s list',
  )
  await expect(page.getByRole('button', { name: 'Resolve manually' })).toHaveCount(0)
  await placed
  const {
    body: {
      orders: [bought],
    },
  } = await own.call(listOrders, { params: { userId: dana.user._id }, query: {} }, dana.token)
  expect(bought).toMatchObject({
    _id: id,
    status: 'completed',
    tracking_number: sandboxTracking(9_001),
  })
  expect((await own.call(verifySession, {}, dana.token)).body.user.balance).toBe(40.5)
  expect(found).toEqual([])
})
