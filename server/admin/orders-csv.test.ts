import { expect, test } from 'vitest'
import { logout, setUserActivation, setUserRole } from '#contract/accounts.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import { exportOrdersCsv } from '#contract/orders-admin.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { rows } from '#tests/support/rows.ts'

// No worker: the content of the file does not depend on it.
const app = await testApp({ env: { ROLE: 'web' } })
const admin = await app.admin()
/** More than two chunks. */
const LABELS = 4_500

const ana = await app.register('Ana')
await app.creditDollars(ana.user._id, 50_000)
const { orderId } = (await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)).body
const params = { userId: ana.user._id }
const sent = await app.call(
  processBatch,
  { params, body: { orderId, orderData: rows(LABELS) } },
  ana.token,
)

async function administrator(): Promise<TestUser> {
  const visitor = await app.register('Another administrator')
  await app.call(
    setUserRole,
    { params: { userId: visitor.user._id }, body: { user_role: 'admin' } },
    admin.token,
  )
  return visitor
}

/**
 * Starts the download and runs `meanwhile` before the second chunk is read. Returns the received
 * lines.
 */
async function downloaded(
  by: TestUser,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<{ lines: number; isWhole: boolean }> {
  const answer = await app.app.inject({
    ...injectOptionsFor(exportOrdersCsv, { query: {} }),
    headers: { token: by.token },
    payloadAsStream: true,
  })
  expect(answer.statusCode).toBe(200)
  await meanwhile()
  let text = ''
  try {
    for await (const part of answer.stream()) text += String(part)
    return { lines: text.split('\r\n').length - 2, isWhole: true }
  } catch {
    return { lines: text.split('\r\n').length - 2, isWhole: false }
  }
}

test('the export of all labels is complete', async () => {
  expect(sent.status, sent.body.message).toBe(202)
  expect(await downloaded(await administrator())).toEqual({ lines: LABELS, isWhole: true })
})

test.each<[string, (of: TestUser) => Promise<unknown>]>([
  [
    'has lost the role',
    of =>
      app.call(
        setUserRole,
        { params: { userId: of.user._id }, body: { user_role: 'user' } },
        admin.token,
      ),
  ],
  [
    'is blocked',
    of =>
      app.call(
        setUserActivation,
        { params: { userId: of.user._id }, body: { activation: 'block' } },
        admin.token,
      ),
  ],
  ['has signed out', of => app.call(logout, {}, of.token)],
])('the export breaks off when the administrator %s in the meantime', async (_, happens) => {
  const second = await administrator()
  const { lines, isWhole } = await downloaded(second, () => happens(second))
  expect(isWhole).toBe(false)
  expect(lines).toBeLessThan(LABELS)
})
