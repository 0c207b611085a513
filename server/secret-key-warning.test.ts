import { expect, test } from 'vitest'
import { createWebhook } from '#contract/webhooks.ts'
import { testApp } from '#tests/support/app.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { registerWithApp, SITE } from '#tests/support/two-step.ts'
import { openSecretKey, secretKeyFrom } from './platform/process/secret-key.ts'
import { secretKeyWarning } from './secret-key-warning.ts'

const app = await testApp({ env: { PUBLIC_URL: SITE } })
const own = await openSecretKey(app.ctx.config)
const warningWith = (key = own) => secretKeyWarning(app.database.db, key)
const OTHER = 'another key of at least 32 characters'
const WARNING =
  /^The secret key is not the one that authenticator apps or webhooks .* were set up with/

test('the operator is warned when authenticator apps were set up with another secret key', async () => {
  expect(await warningWith(secretKeyFrom(OTHER))).toBe(null)
  await registerWithApp(app)
  expect(await warningWith()).toBe(null)
  expect(await warningWith(secretKeyFrom(OTHER))).toMatch(WARNING)
  await app.database.pool.query('delete from second_factor')
})

test('a start with another secret key than the one that webhooks were set up with says so', async () => {
  const ana = await app.register()
  const body = { url: 'https://ana.example/in', types: ['label.bought' as const] }
  await app.call(createWebhook, { params: { userId: ana.user._id }, body }, ana.token)
  expect(await warningWith()).toBe(null)
  const { path, forget } = await createDataFolder()
  const server = await startServer(path, {
    DATABASE_URL: app.database.url,
    ALLOW_UNSAFE_DATABASE: 'yes',
    SECRET_KEY: OTHER,
  })
  try {
    await expect.poll(server.readOutput).toContain('WARNING  The secret key is not the one that')
  } finally {
    await server.stop('SIGTERM')
    await forget()
  }
})
