import { expect, test } from 'vitest'
import { login, setUserRole } from '#contract/accounts.ts'
import {
  changeEmail,
  correctEmail,
  sendResetLink,
  undoEmailChange,
  verifyEmail,
} from '#contract/email-ownership.ts'
import { topUp } from '#contract/payments.ts'
import { beginTotp } from '#contract/second-factor.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { linkIn, mailsTo, tokenOf, verifyLinksTo } from '#tests/support/mail-outbox.ts'

const app = await testApp({ env: { REQUIRE_VERIFIED_EMAIL: 'yes' } })
const admin = await app.admin()
const { dataDir } = app.ctx.config

const paramsOf = ({ user }: TestUser) => ({ params: { userId: user._id } })
const open = (token: string) => app.call(verifyEmail, { body: { token } })
async function verify({ user }: TestUser): Promise<void> {
  await expect.poll(() => verifyLinksTo(dataDir, user.email)).toHaveLength(1)
  const [link] = await verifyLinksTo(dataDir, user.email)
  expect((await open(tokenOf(link!))).status).toBe(200)
}
async function newestToken(address: string, subject: RegExp): Promise<string> {
  const find = async () => (await mailsTo(dataDir, address)).findLast(m => subject.test(m.subject))
  await expect.poll(find).toBeDefined()
  return tokenOf(linkIn((await find())!))
}

test('67 with real money, no one adds money before opening a link mailed to their address', async () => {
  const customer = await app.register()
  const deposit = async () => (await app.call(topUp, paramsOf(customer), customer.token)).status
  expect(await deposit()).toBe(403)
  await verify(customer)
  expect(await deposit()).toBe(200)
})

test('68 a change of address needs the password and the new mailbox, and the old mailbox undoes it', async () => {
  const customer = await app.register()
  await verify(customer)
  const ask = (email: string, currentPassword: string) =>
    app.call(
      changeEmail,
      { ...paramsOf(customer), body: { email, currentPassword } },
      customer.token,
    )
  expect((await ask('thief@example.com', 'a guess')).status).toBe(422)
  const taken = await ask(admin.user.email, PASSWORD)
  const free = await ask('thief@example.com', PASSWORD)
  expect([taken.status, taken.body], 'a taken address is not revealed').toEqual([200, free.body])
  expect((await open(await newestToken('thief@example.com', /Confirm your new/))).status).toBe(200)
  const token = await newestToken(customer.user.email, /was changed/)
  expect((await app.call(undoEmailChange, { body: { token } })).status).toBe(200)
  const body = { email: 'thief@example.com', password: PASSWORD }
  expect((await app.call(login, { body })).status).toBe(401)
})

test('68 strangers who ask for an address use up no mail of the customer who wants it', async () => {
  const customer = await app.register()
  await verify(customer)
  const email = 'wanted@example.com'
  const ask = (by: TestUser) =>
    app.call(changeEmail, { ...paramsOf(by), body: { email, currentPassword: PASSWORD } }, by.token)
  for (let n = 0; n < 7; n++) expect((await ask(await app.register())).status).toBe(200)
  expect((await ask(customer)).status).toBe(200)
  const mailed = async () =>
    (
      await app.database.pool.query<{ count: number; own: number }>(
        `select count(*)::int, (count(*) filter (where user_id = $1))::int as own from mail where kind = 'email-change'
          and id > (select min(id) from mail where user_id = $1)`,
        [customer.user._id],
      )
    ).rows[0]
  expect(await mailed()).toEqual({ count: 6, own: 1 })
})

test('68 no one sets up a second factor with an address that is not proven', async () => {
  const customer = await app.register()
  const begin = () => app.call(beginTotp, paramsOf(customer), customer.token)
  const refused = await begin()
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    403,
    'email_unverified',
    'Verify your email address before you set up two-step sign-in. The Account page sends you the link again.',
  ])
  await verify(customer)
  expect((await begin()).status).toBe(200)
})

test('69 an administrator sees no link that is sent for them, and replaces no administrator’s address', async () => {
  const customer = await app.register()
  const sent = await app.call(sendResetLink, paramsOf(customer), admin.token)
  const token = await newestToken(customer.user.email, /password/)
  expect(sent.status).toBe(200)
  expect(JSON.stringify(sent.body)).not.toContain(token)
  const role = { ...paramsOf(customer), body: { user_role: 'admin' as const } }
  await app.call(setUserRole, role, admin.token)
  const body = { email: 'mine@example.com', reason: 'Mistyped' }
  const corrected = await app.call(correctEmail, { ...paramsOf(customer), body }, admin.token)
  expect(corrected.status).toBe(403)
})
