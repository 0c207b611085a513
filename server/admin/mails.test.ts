import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forgotPassword } from '#contract/accounts.ts'
import { getAdminDashboard } from '#contract/admin.ts'
import { cancelMail, listMails, retryMail } from '#contract/mails.ts'
import { testApp } from '#tests/support/app.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'
import { openMailServer } from '#tests/support/mail-server.ts'

const isRefused = { now: true }
const server = await openMailServer(line =>
  line.startsWith('RCPT') && isRefused.now ? '550 no such person' : null,
)
const app = await testApp({ env: { SMTP_URL: server.url } })
const admin = await app.admin()
const ana = await app.register('Ana Lopez')
// Registration mails a link too, which is not the subject here.
await app.database.owner.pool.query('delete from mail')

const list = async (due: 'all' | 'overdue' = 'all') =>
  (await app.call(listMails, { query: { due } }, admin.token)).body.mails
const work = async () =>
  (await app.call(getAdminDashboard, { query: { offset: 0 } }, admin.token)).body.work.mails
const audited = async () =>
  (
    await app.database.pool.query('select action from audit_entry where subject_id = $1', [
      ana.user._id,
    ])
  ).rows.map(({ action }) => action)
const requestReset = async () => {
  expect((await app.call(forgotPassword, { body: { email: ana.user.email } })).status).toBe(200)
}
const passMinutes = (minutes: number) =>
  app.database.pool.query(
    `update mail set created_at = created_at - $1 * interval '1 minute' where ended_at is null`,
    [minutes],
  )

test('an administrator sees a refused email with its reason, and no address in full, and has it sent when that is mended', async () => {
  await requestReset()
  await expect.poll(async () => (await list()).map(({ failed }) => failed)).toEqual([true])
  const [mail] = await list()
  expect(mail).toMatchObject({
    kind: 'Link to reset a password',
    recipient: ana.user.email.replace(/^(.).*@/, '$1•••@'),
    user: { name: 'Ana Lopez' },
    attempts: 1,
    nextAttempt: null,
    why: 'The mail server refuses the recipient or the message.',
    retryable: true,
  })
  expect(await work()).toMatchObject({ count: 1 })
  isRefused.now = false
  const { status, body } = await app.call(retryMail, { params: { id: mail!._id } }, admin.token)
  expect([status, body.message]).toEqual([200, 'The email is being sent'])
  await expect.poll(() => server.accepted.length).toBe(1)
  expect(server.accepted[0]).toContain('/reset-password')
  await expect.poll(() => list()).toEqual([])
  expect(await work()).toEqual({ count: 0, oldest: null })
  expect(await audited()).toContain('mail-retried')
  const again = await app.call(retryMail, { params: { id: mail!._id } }, admin.token)
  expect(again.status).toBe(409)
})

test('a receiver’s address that is refused is no work for administrators', async () => {
  const insert = (kind: string, outcome: string) =>
    app.database.pool.query(
      `insert into mail (message_id, kind, sealed, written, recipient_hash, recipient_hint, expires_at, next_attempt_at, ended_at, outcome)
        values (gen_random_uuid(), $1, null, true, null, null, now(), now(), now(), $2)`,
      [kind, outcome],
    )
  await insert('parcel-update', 'refused')
  expect([await list(), (await work()).count]).toEqual([[], 0])
  await insert('parcel-update', 'expired')
  expect([(await list()).length, (await work()).count]).toEqual([1, 1])
  await app.database.pool.query('delete from mail where ended_at is not null')
})

test('an email that waits is on the dashboard after five minutes, and can be canceled', async () => {
  await server.close()
  await requestReset()
  await expect
    .poll(async () => (await list())[0]?.why)
    .toBe('The mail server does not respond, refuses the connection, or has no valid certificate.')
  expect(await list('overdue')).toEqual([])
  expect(await work()).toEqual({ count: 0, oldest: null })
  await passMinutes(6)
  const [mail] = await list('overdue')
  expect(mail).toMatchObject({ failed: false, nextAttempt: expect.any(String) })
  expect(await work()).toMatchObject({ count: 1, oldest: mail!.since })
  const cancel = () => app.call(cancelMail, { params: { id: mail!._id } }, admin.token)
  await expect.poll(async () => (await cancel()).status).toBe(200)
  expect([await list(), (await cancel()).status]).toEqual([[], 409])
  expect(await audited()).toContain('mail-canceled')
  await server.reopen()
})

test('only administrators see and change waiting emails', async () => {
  const params = { id: '1' }
  const answers = await Promise.all([
    app.call(listMails, { query: {} }, ana.token),
    app.call(retryMail, { params }, ana.token),
    app.call(cancelMail, { params }, ana.token),
  ])
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
})

test('an email waits while the outbox cannot be written, and lies there when it is tried again', async () => {
  const own = await testApp()
  const { token } = await own.admin()
  const outbox = join(own.ctx.config.dataDir, 'outbox')
  await writeFile(outbox, 'a file where the folder should be')
  const { user } = await own.register()
  await own.database.owner.pool.query('delete from mail')
  await own.call(forgotPassword, { body: { email: user.email } })
  const first = async () => (await own.call(listMails, { query: {} }, token)).body.mails[0]
  await expect
    .poll(async () => (await first())?.why)
    .toBe('The folder outbox in DATA_DIR cannot be written.')
  await rm(outbox)
  await own.call(retryMail, { params: { id: (await first())!._id } }, token)
  await expect.poll(async () => (await mailsTo(own.ctx.config.dataDir, user.email)).length).toBe(1)
})
