import { expect, test } from 'vitest'
import { createKey, currentKey, listKeys, rotateKey } from '#contract/api-keys.ts'
import type { NewApiKey } from '#contract/api-keys.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'

const app = await testApp({ env: { ROLE: 'web' } })

async function makeKey({ user, token }: TestUser, name: string): Promise<NewApiKey> {
  const input = { params: { userId: user._id }, body: { name, scopes: ['books' as const] } }
  return (await app.call(createKey, input, token)).body
}

test('the user hears by email of each new key, also of one that replaces another', async () => {
  const ana = await app.register()
  const made = await makeKey(ana, 'Call 555-0100 now')
  const params = { userId: ana.user._id, keyId: made._id }
  const next = await app.call(rotateKey, { params, body: { graceHours: 1 } }, ana.token)
  const notices = async () =>
    (await mailsTo(app.ctx.config.dataDir, ana.user.email)).filter(({ subject }) =>
      subject.includes('API key'),
    )
  await expect.poll(notices).toHaveLength(2)
  const [first, second] = await notices()
  expect(first!.text).toContain(made.last4)
  expect(second!.text).toContain(next.body.last4)
  // Typed text could carry a stranger's message.
  expect(first!.text).not.toContain('555-0100')
})

test('a program learns from its key whose it is', async () => {
  const ana = await app.register()
  const { key, ...made } = await makeKey(ana, 'Warehouse')
  const { body } = await app.call(currentKey, {}, key)
  expect(body).toMatchObject({ userId: ana.user._id, mode: 'test', key: { _id: made._id } })
  expect((await app.call(currentKey, {}, ana.token)).status).toBe(404)
})

test('a key ends by a clock that is behind UTC, but not after the last year that a time can name', async () => {
  const { user, token } = await app.register()
  const params = { userId: user._id }
  const create = (expiresAt: string) =>
    app.call(createKey, { params, body: { name: 'Till', scopes: ['books'], expiresAt } }, token)
  const { status, body } = await create('9999-12-31T23:59:59-14:00')
  expect([status, body.codes]).toEqual([422, { expiresAt: 'above_limit' }])
  expect((await create('9999-12-31T09:00:00-14:00')).body.expiresAt).toBe(
    '9999-12-31T23:00:00.000Z',
  )
  expect((await app.call(listKeys, { params }, token)).status).toBe(200)
})
