import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  deleteUser,
  forgotPassword,
  login,
  register,
  resetPassword,
  setUserActivation,
  verifySession,
} from '#contract/accounts.ts'
import {
  cancelEmailChange,
  changeEmail,
  emailStatus,
  resendVerification,
  undoEmailChange,
  verifyEmail,
} from '#contract/email-ownership.ts'
import { topUp } from '#contract/payments.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { freedSince } from '#tests/support/freed-since.ts'
import {
  linkIn,
  mailsTo,
  resetTokenIn,
  tokenOf,
  verifyLinksTo,
} from '#tests/support/mail-outbox.ts'

const app = await testApp({
  env: { PUBLIC_URL: 'https://post.example.com', REQUIRE_VERIFIED_EMAIL: 'yes' },
})
const admin = await app.admin()
const { dataDir } = app.ctx.config

const mails = (address: string) => mailsTo(dataDir, address)
const paramsOf = ({ user }: TestUser) => ({ params: { userId: user._id } })
const status = async (of: TestUser) => (await app.call(emailStatus, paramsOf(of), of.token)).body
const verify = (token: string, address?: string) =>
  app.call(verifyEmail, { body: { token } }, undefined, address)
const undo = (token: string) => app.call(undoEmailChange, { body: { token } })
const sees = async ({ token }: TestUser) => (await app.call(verifySession, {}, token)).status
const signIn = async (email: string, password = PASSWORD) =>
  (await app.call(login, { body: { email, password } })).status
const ask = (of: TestUser, email: string, currentPassword = PASSWORD) =>
  app.call(changeEmail, { ...paramsOf(of), body: { email, currentPassword } }, of.token)

/** The token of the newest mail with this subject. */
async function tokenTo(address: string, subject: RegExp): Promise<string> {
  const find = async () => (await mails(address)).findLast(mail => subject.test(mail.subject))
  await expect.poll(find).toBeDefined()
  return tokenOf(linkIn((await find())!))
}
async function verifyToken({ user }: TestUser): Promise<string> {
  await expect.poll(() => verifyLinksTo(dataDir, user.email)).not.toEqual([])
  return tokenOf((await verifyLinksTo(dataDir, user.email)).at(-1)!)
}
async function verifiedUser(): Promise<TestUser> {
  const customer = await app.register()
  expect((await verify(await verifyToken(customer))).status).toBe(200)
  return customer
}
let addresses = 0
const freshAddress = () => `new${++addresses}@example.com`
/** Changes the address by both steps and returns it. */
async function changed(of: TestUser): Promise<string> {
  const address = freshAddress()
  expect((await ask(of, address)).status).toBe(200)
  expect((await verify(await tokenTo(address, /Confirm your new/))).status).toBe(200)
  return address
}
const audited = async ({ user }: TestUser) =>
  (
    await app.database.pool.query<{ action: string; detail: object }>(
      'select action, detail from audit_entry where subject_id = $1 order by id',
      [user._id],
    )
  ).rows

test('a new customer is signed in at once and gets a link, which verifies the address', async () => {
  const customer = await app.register()
  expect(await sees(customer)).toBe(200)
  expect(await status(customer)).toEqual({ verified: false, needed: true, pending: null })
  const token = await verifyToken(customer)
  const { rows } = await app.database.pool.query(
    'select token_hash from email_link where user_id = $1',
    [customer.user._id],
  )
  expect(rows).toEqual([{ token_hash: createHash('sha256').update(token).digest() }])
  const first = await verify(token)
  expect([first.status, first.body.message]).toEqual([200, 'Your email address is verified.'])
  expect(await status(customer)).toEqual({ verified: true, needed: false, pending: null })
  const second = await verify(token)
  expect([second.status, second.body], 'a second click says the same').toEqual([200, first.body])
  expect((await audited(customer)).map(({ action }) => action)).toEqual([
    'register',
    'email-verified',
  ])
})

test('no invoice is opened before the address is verified', async () => {
  const customer = await app.register()
  const top = () => app.call(topUp, paramsOf(customer), customer.token)
  const refused = await top()
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    403,
    'email_unverified',
    'Verify your email address before you add money. The Account page sends you the link again.',
  ])
  const byAdmin = await app.call(topUp, paramsOf(customer), admin.token)
  expect(byAdmin.status, 'also not by an administrator').toBe(403)
  await verify(await verifyToken(customer))
  expect((await top()).status).toBe(200)
})

test('in the sandbox the link is mailed and nothing waits for it', async () => {
  const sandbox = await testApp()
  const customer = await sandbox.register()
  await expect
    .poll(() => verifyLinksTo(sandbox.ctx.config.dataDir, customer.user.email))
    .toHaveLength(1)
  expect((await sandbox.call(topUp, paramsOf(customer), customer.token)).status).toBe(200)
  const { body } = await sandbox.call(emailStatus, paramsOf(customer), customer.token)
  expect(body).toEqual({ verified: false, needed: false, pending: null })
})

test('a link to verify is valid for three days, and an unknown one is refused', async () => {
  const customer = await app.register()
  const token = await verifyToken(customer)
  await app.database.pool.query(
    `update email_link set expires_at = expires_at - interval '72 hours' where user_id = $1`,
    [customer.user._id],
  )
  for (const wrong of [token, '', 'x'.repeat(43)]) {
    const { status: code, body } = await verify(wrong)
    expect([code, body.errors]).toEqual([
      422,
      { token: 'This link has been used or has expired. Request a new one.' },
    ])
  }
})

test('wrong links of one network are slowed', async () => {
  const from = '198.51.100.77'
  const begun = performance.now()
  for (let n = 0; n < 20; n++) expect((await verify(`wrong ${n}`, from)).status).toBe(422)
  for (let more = 0; (await verify('wrong', from)).status !== 429; more++)
    expect(more).toBeLessThan(freedSince(begun, 45))
  const customer = await app.register()
  const right = await verify(await verifyToken(customer), from)
  expect(right.status, 'a right one is never').toBe(200)
})

test('the link can be sent again; beyond three in two hours the answer is the same and no mail is sent', async () => {
  const customer = await app.register()
  const resend = () => app.call(resendVerification, paramsOf(customer), customer.token)
  const answers = []
  for (let n = 0; n < 5; n++) answers.push((await resend()).body)
  expect(new Set(answers.map(body => JSON.stringify(body))).size).toBe(1)
  const { rows } = await app.database.pool.query('select 1 from email_link where user_id = $1', [
    customer.user._id,
  ])
  expect(rows).toHaveLength(3)
  await verify(await verifyToken(customer))
  expect((await resend()).body.message).toBe('Your email address is already verified.')
})

test('a reset link that is used verifies the address too', async () => {
  const customer = await app.register()
  await app.call(forgotPassword, { body: { email: customer.user.email } })
  await expect.poll(async () => (await mails(customer.user.email)).length).toBe(1)
  const token = resetTokenIn((await mails(customer.user.email))[0]!)
  await app.call(resetPassword, { body: { token, password: 'a brand new passphrase' } })
  const fresh = {
    ...customer,
    token: await app.signIn(customer.user.email, 'a brand new passphrase'),
  }
  expect((await status(fresh)).verified).toBe(true)
})

test('the link in the new mailbox makes the change: other sessions and reset links end, the asking one stays', async () => {
  const customer = await verifiedUser()
  const old = customer.user.email
  const other = { ...customer, token: await app.signIn(old, PASSWORD) }
  await app.call(forgotPassword, { body: { email: old } })
  await expect.poll(async () => (await mails(old)).length).toBe(1)
  const reset = resetTokenIn((await mails(old))[0]!)
  const address = freshAddress()
  const answer = await ask(customer, address)
  expect([answer.status, answer.body.message]).toEqual([
    200,
    'We sent a link to the new address. Open it within 3 days to finish the change.',
  ])
  expect((await status(customer)).pending?.email).toBe(address)
  expect([await signIn(old), await signIn(address)], 'nothing has changed yet').toEqual([200, 401])

  const token = await tokenTo(address, /Confirm your new/)
  expect((await verify(token)).status).toBe(200)
  expect([await signIn(old), await signIn(address)]).toEqual([401, 200])
  expect([await sees(customer), await sees(other)]).toEqual([200, 401])
  expect(await status(customer)).toEqual({ verified: true, needed: false, pending: null })
  const used = await app.call(resetPassword, { body: { token: reset, password: 'another phrase' } })
  expect(used.status).toBe(422)
  expect((await verify(token)).status, 'a second click changes nothing').toBe(200)
  const trail = await audited(customer)
  expect(trail.map(({ action }) => action)).toContain('email-changed')
  expect(JSON.stringify(trail), 'the audit holds no address').not.toContain('@')
})

test('the current password is needed, and the present or an invalid address is refused', async () => {
  const customer = await verifiedUser()
  const wrong = await ask(customer, freshAddress(), 'not the passphrase')
  expect([wrong.status, wrong.body.errors]).toEqual([
    422,
    { currentPassword: 'This is not your current password' },
  ])
  expect((await ask(customer, customer.user.email.toUpperCase())).body.errors).toEqual({
    email: 'This is already your email address',
  })
  expect((await ask(customer, 'no address', '')).body.errors).toEqual({
    email: 'Enter a valid email address',
    currentPassword: 'Current Password is required',
  })
})

test('a taken address gets the same answer as a free one, and its owner a mail without a link to it', async () => {
  const customer = await verifiedUser()
  const owner = await app.register()
  const free = await ask(customer, freshAddress())
  const taken = await ask(customer, owner.user.email)
  expect([taken.status, taken.body]).toEqual([free.status, free.body])
  expect((await status(customer)).pending?.email).toBe(owner.user.email)
  await expect.poll(async () => (await mails(owner.user.email)).length).toBe(1)
  const [mail] = await mails(owner.user.email)
  expect(mail!.subject).toBe('Your Evenpost address was entered for another account')
  expect(linkIn(mail!)).toBe('https://post.example.com/login')
  expect(mail!.raw).not.toContain(customer.user.email)
})

test('of two customers who change to one address the first gets it and the other is told', async () => {
  const [ana, ben] = [await verifiedUser(), await verifiedUser()]
  const address = freshAddress()
  const tokens = []
  for (const of of [ana, ben]) {
    expect((await ask(of, address)).status).toBe(200)
    await expect.poll(async () => (await mails(address)).length).toBe(tokens.length + 1)
    tokens.push(await tokenTo(address, /Confirm your new/))
  }
  const answers = await Promise.all(tokens.map(token => verify(token)))
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  expect(answers.find(answer => answer.status === 409)!.body.message).toBe(
    'This address belongs to another account now. Choose another one.',
  )
  const { rows } = await app.database.pool.query('select 1 from app_user where email_key = $1', [
    address,
  ])
  expect(rows).toHaveLength(1)
})

test('a change that crosses with a deletion leaves a deleted user without an address', async () => {
  const customer = await verifiedUser()
  const address = freshAddress()
  await ask(customer, address)
  const token = await tokenTo(address, /Confirm your new/)
  const [made, deleted] = await Promise.all([
    verify(token),
    app.call(deleteUser, paramsOf(customer), admin.token),
  ])
  expect(deleted.status).toBe(200)
  expect([200, 422]).toContain(made.status)
  const { rows } = await app.database.pool.query(
    `select u.email, (select count(*)::int from email_change where user_id = u.id)
       + (select count(*)::int from email_link where user_id = u.id) as records from app_user u where u.id = $1`,
    [customer.user._id],
  )
  expect(rows).toEqual([{ email: `deleted-${customer.user._id}@deleted.invalid`, records: 0 }])
  expect((await verify(token)).status).toBe(422)
})

test('a newer request and a cancellation end the link of an older one', async () => {
  const customer = await verifiedUser()
  const [first, second] = [freshAddress(), freshAddress()]
  await ask(customer, first)
  await ask(customer, second)
  expect((await verify(await tokenTo(first, /Confirm your new/))).status).toBe(422)
  const cancel = () => app.call(cancelEmailChange, paramsOf(customer), customer.token)
  expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 200])
  expect((await status(customer)).pending).toBeNull()
  expect((await verify(await tokenTo(second, /Confirm your new/))).status).toBe(422)
})

test('a blocked customer changes no address', async () => {
  const customer = await verifiedUser()
  const address = freshAddress()
  await ask(customer, address)
  const token = await tokenTo(address, /Confirm your new/)
  await app.call(
    setUserActivation,
    { ...paramsOf(customer), body: { activation: 'block' } },
    admin.token,
  )
  expect((await verify(token)).status).toBe(403)
})

test('a thief with session and password cannot keep the account: the old mailbox undoes the change for a day', async () => {
  const customer = await verifiedUser()
  const old = customer.user.email
  const thief = { ...customer, token: await app.signIn(old, PASSWORD) }
  const stolen = await changed(thief)
  expect([await sees(customer), await sees(thief)]).toEqual([401, 200])
  const again = await changed(thief)
  const token = await tokenTo(old, /was changed/)

  const back = await undo(token)
  expect(back.status, back.body.message).toBe(200)
  expect(await sees(thief)).toBe(401)
  for (const address of [old, stolen, again])
    expect(await signIn(address), 'the known password opens nothing').toBe(401)
  const theirUndo = await tokenTo(stolen, /was changed/)
  expect((await undo(theirUndo)).status, 'the thief cannot undo the undoing').toBe(422)
  await expect.poll(async () => (await mails(old)).at(-1)?.subject).toMatch(/Choose a new/)
  const reset = resetTokenIn((await mails(old)).at(-1)!)
  const password = 'a passphrase of their own'
  expect((await app.call(resetPassword, { body: { token: reset, password } })).status).toBe(200)
  expect(await signIn(old, password)).toBe(200)
  expect((await undo(token)).status, 'a second click changes nothing').toBe(200)
  expect(await signIn(old, password)).toBe(200)
})

test('the link of the notice stops a change that was not made yet', async () => {
  const customer = await verifiedUser()
  const address = freshAddress()
  await ask(customer, address)
  expect((await undo(await tokenTo(customer.user.email, /was entered/))).status).toBe(200)
  expect((await verify(await tokenTo(address, /Confirm your new/))).status).toBe(422)
  expect([await sees(customer), await signIn(customer.user.email)]).toEqual([401, 401])
})

test('a change cannot be undone after 24 hours, and until then the old address is kept for its user', async () => {
  const customer = await verifiedUser()
  const old = customer.user.email
  await changed(customer)
  const body = { name: 'Eve', email: old, password: PASSWORD, confirmPassword: PASSWORD }
  expect((await app.call(register, { body })).status).toBe(409)
  const thief = await verifiedUser()
  await ask(thief, old)
  expect((await mails(old)).filter(mail => /Confirm your new/.test(mail.subject))).toEqual([])
  await app.database.pool.query(
    `update email_change set done_at = done_at - interval '24 hours' where user_id = $1`,
    [customer.user._id],
  )
  expect((await undo(await tokenTo(old, /was changed/))).status).toBe(422)
  expect((await app.call(register, { body })).status).toBe(200)
})

test('a mistyped address that was never verified is changed without a mail to it', async () => {
  const customer = await app.register()
  const old = customer.user.email
  const link = await verifyToken(customer)
  await changed(customer)
  expect(await mails(old)).toEqual([])
  expect((await verify(link)).status, 'its link is dead').toBe(422)
})

test('an account asks for five changes an hour, and uses up nothing of another verified one', async () => {
  const address = freshAddress()
  const ana = await verifiedUser()
  for (let n = 0; n < 5; n++) expect((await ask(ana, address)).status).toBe(200)
  expect((await ask(ana, address)).status).toBe(429)
  const ben = await verifiedUser()
  expect((await ask(ben, address)).status).toBe(200)
  await expect.poll(async () => (await mails(address)).length).toBe(6)
})

test('registrations of one network are limited by day', async () => {
  const own = await testApp({ env: { REGISTRATIONS_PER_DAY: '3' } })
  const add = (n: number, from = '198.51.100.9') =>
    own.call(
      register,
      {
        body: {
          name: 'Mass',
          email: `mass${n}@example.com`,
          password: PASSWORD,
          confirmPassword: PASSWORD,
        },
      },
      undefined,
      from,
    )
  for (let n = 0; n < 3; n++) expect((await add(n)).status).toBe(200)
  const refused = await add(3)
  expect([refused.status, refused.body.message]).toEqual([
    429,
    'Too many registrations from your network today. Try again later.',
  ])
  expect((await add(4, '198.51.100.10')).status).toBe(200)
})
