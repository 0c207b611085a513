import { expect, test } from 'vitest'
import { forgotPassword, login, resetPassword, saveAccount } from '#contract/accounts.ts'
import { changeEmail, emailStatus, verifyEmail } from '#contract/email-ownership.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { linkIn, mailsTo, resetTokenIn, tokenOf } from '#tests/support/mail-outbox.ts'

const app = await testApp({ env: { PUBLIC_URL: 'https://post.example.com' } })
const paramsOf = ({ user }: TestUser) => ({ params: { userId: user._id } })
const mails = (address: string) => mailsTo(app.ctx.config.dataDir, address)
const NEW_PASSWORD = 'the owner has chosen this one'

async function mailTo(address: string, subject: RegExp) {
  const find = async () => (await mails(address)).findLast(mail => subject.test(mail.subject))
  await expect.poll(find).toBeDefined()
  return (await find())!
}
/** Someone who has the password asks for another address. Returns the token that is mailed there. */
async function beginTakeover(customer: TestUser): Promise<string> {
  const email = `taken-${customer.user.email}`
  const body = { email, currentPassword: PASSWORD }
  const asked = await app.call(changeEmail, { ...paramsOf(customer), body }, customer.token)
  expect(asked.status).toBe(200)
  return tokenOf(linkIn(await mailTo(email, /Confirm your new/)))
}
async function expectOwner(customer: TestUser, password: string, changeToken: string) {
  const opened = await app.call(verifyEmail, { body: { token: changeToken } })
  expect([opened.status, opened.body.message]).toEqual([
    422,
    'This link has been used or has expired. Request a new one.',
  ])
  const body = { email: customer.user.email, password }
  expect((await app.call(login, { body })).status).toBe(200)
}

test('one who registered with an address of another person cannot take the account back from its owner', async () => {
  const customer = await app.register()
  const changeToken = await beginTakeover(customer)
  const { email } = customer.user
  await app.call(forgotPassword, { body: { email } })
  const token = resetTokenIn(await mailTo(email, /password/i))
  const body = { token, password: NEW_PASSWORD }
  expect((await app.call(resetPassword, { body })).status).toBe(200)
  await expectOwner(customer, NEW_PASSWORD, changeToken)
})

test('a new password ends a change of the address that was asked for with the old one', async () => {
  const customer = await app.register()
  const changeToken = await beginTakeover(customer)
  const body = { name: 'Ana', password: NEW_PASSWORD, currentPassword: PASSWORD }
  const saved = await app.call(saveAccount, { ...paramsOf(customer), body }, customer.token)
  expect(saved.status).toBe(200)
  const { pending } = (await app.call(emailStatus, paramsOf(customer), customer.token)).body
  expect(pending).toBeNull()
  const { rows } = await app.database.pool.query<{ action: string }>(
    'select action from audit_entry where subject_id = $1 order by id',
    [customer.user._id],
  )
  expect(rows.map(({ action }) => action)).toContain('email-change-canceled')
  await expectOwner(customer, NEW_PASSWORD, changeToken)
})

test('another name leaves a change of the address waiting', async () => {
  const customer = await app.register()
  const changeToken = await beginTakeover(customer)
  const body = { name: 'Ana Rivera' }
  await app.call(saveAccount, { ...paramsOf(customer), body }, customer.token)
  expect((await app.call(verifyEmail, { body: { token: changeToken } })).status).toBe(200)
})

test('a reset link that is written while the address changes does not go to the old mailbox', async () => {
  const { user } = await app.register()
  const change = await app.database.pool.connect()
  await change.query('begin')
  await change.query(`update app_user set email = $2, email_key = $2 where id = $1`, [
    user._id,
    `moved-${user.email}`,
  ])
  await app.call(forgotPassword, { body: { email: user.email } })
  const isWaiting = async () => {
    const { rowCount } = await app.database.owner.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount
  }
  await expect.poll(isWaiting).toBe(1)
  await change.query('commit')
  change.release()
  const requests = async () =>
    (await app.database.pool.query(`select 1 from mail where not written`)).rowCount
  await expect.poll(requests).toBe(0)
  const { rowCount: links } = await app.database.pool.query(
    'select 1 from password_reset where user_id = $1',
    [user._id],
  )
  expect(links).toBe(0)
})
