/** A reset link is requested, and the server or the mail server dies before it is sent. */
import { afterAll, expect, test } from 'vitest'
import { forgotPassword } from '#contract/accounts.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'
import { openMailServer } from '#tests/support/mail-server.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'

const data = await createDataFolder()
afterAll(() => data.forget())

test('a reset link that was requested before a kill is sent after the next start, by file and by mail server', async () => {
  const killedBeforeSending = async () => {
    const app = await startServer(data.path)
    const ana = await app.register('Ana')
    const answer = await app.call(forgotPassword, { body: { email: ana.user.email } })
    expect(answer.status).toBe(200)
    await app.stop('SIGKILL')
    return ana
  }
  // Sending begins 100 ms after the answer at the soonest; on a busy machine the kill comes later.
  let ana = await killedBeforeSending()
  while ((await mailsTo(data.path, ana.user.email)).length > 0) ana = await killedBeforeSending()
  // Mail that waits is sent before a server with a free port of its own knows its address.
  const url = 'http://127.0.0.1:3000'
  let app = await startServer(data.path, { PUBLIC_URL: url })
  const request = () => app.call(forgotPassword, { body: { email: ana.user.email } })
  await expect.poll(async () => (await mailsTo(data.path, ana.user.email)).length).toBe(1)
  const [mail] = await mailsTo(data.path, ana.user.email)
  expect(mail!.text).toContain(`${url}/reset-password`)
  await app.stop('SIGTERM')

  const server = await openMailServer()
  await server.close()
  app = await startServer(data.path, { SMTP_URL: server.url })
  expect((await request()).status).toBe(200)
  await expect.poll(() => app.readOutput()).toContain('an email could not be sent')
  await app.stop('SIGKILL')
  // On a port of its own: that of the closed one may belong to another program by now.
  const next = await openMailServer()
  app = await startServer(data.path, { SMTP_URL: next.url })
  // The email of the registration may have waited too. One that was being sent at the kill may be sent again.
  const accepted = () =>
    next.accepted.filter(mail => mail.includes('/reset-password') && mail.includes(ana.user.email))
  await expect.poll(() => accepted().length).toBeGreaterThan(0)
  expect(app.readOutput()).not.toContain(ana.user.email)
  await app.stop('SIGTERM')
})
