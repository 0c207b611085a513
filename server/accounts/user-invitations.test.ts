import { expect, test } from 'vitest'
import {
  listUsers,
  login,
  loginAs,
  logout,
  resetPassword,
  setUserActivation,
  setUserDetails,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { listAuditEntries } from '#contract/audit.ts'
import {
  cancelInvitation,
  correctEmail,
  emailStatus,
  inviteUser,
  resendInvitation,
  sendResetLink,
  verifyEmail,
} from '#contract/email-ownership.ts'
import { topUp } from '#contract/payments.ts'
import { buildApp } from '#server/app.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { linkIn, mailsTo, tokenOf, verifyLinksTo } from '#tests/support/mail-outbox.ts'

const app = await testApp({
  env: { PUBLIC_URL: 'https://post.example.com', REQUIRE_VERIFIED_EMAIL: 'yes' },
})
const admin = await app.admin()
const { dataDir } = app.ctx.config

const mails = (address: string) => mailsTo(dataDir, address)
const of = (userId: string) => ({ params: { userId } })
const choose = (token: string, password = PASSWORD) =>
  app.call(resetPassword, { body: { token, password } })
const signIn = async (email: string, password = PASSWORD) =>
  (await app.call(login, { body: { email, password } })).status
const invite = (name: string, email: string, user_role: 'user' | 'friend' = 'user') =>
  app.call(inviteUser, { body: { name, email, user_role } }, admin.token)
const correct = (userId: string, email: string, reason = 'Mistyped') =>
  app.call(correctEmail, { ...of(userId), body: { email, reason } }, admin.token)
const line = async (userId: string) =>
  (await app.call(listUsers, { query: { search: userId } }, admin.token)).body.find(
    user => user._id === userId,
  )
const newest = async (address: string, count: number) => {
  await expect.poll(async () => (await mails(address)).length).toBe(count)
  return (await mails(address)).at(-1)!
}
const trail = async (userId: string) =>
  (await app.call(listAuditEntries, { query: { userId } }, admin.token)).body.entries
async function verified(): Promise<TestUser> {
  const customer = await app.register()
  await expect.poll(() => verifyLinksTo(dataDir, customer.user.email)).toHaveLength(1)
  const [link] = await verifyLinksTo(dataDir, customer.user.email)
  await app.call(verifyEmail, { body: { token: tokenOf(link!) } })
  return customer
}
/** The next click counts again. */
const aMinuteLater = () =>
  app.database.pool.query(`delete from throttle where key ~ '^(invitation|reset-link):'`)

test('an invited user chooses a password by the mailed link, and the address is verified', async () => {
  const { status, body } = await invite('Ivy Lane', 'ivy@example.com', 'friend')
  expect([status, body.message]).toEqual([200, 'Invitation sent. It is valid for 3 days.'])
  expect(body.user).toMatchObject({ user_role: 'friend', invited: true, emailVerified: false })
  const mail = await newest('ivy@example.com', 1)
  expect(mail.subject).toBe('Your invitation to Evenpost')
  expect(mail.raw, 'no typed text is mailed').not.toContain('Ivy')
  const link = linkIn(mail)
  expect(link).toMatch(/^https:\/\/post\.example\.com\/reset-password#token=[\w-]{43}&invited=1$/)
  expect(await signIn('ivy@example.com')).toBe(401)
  expect((await choose(tokenOf(link))).status).toBe(200)
  expect(await signIn('ivy@example.com')).toBe(200)
  expect(await line(body.user._id)).toMatchObject({ invited: false, emailVerified: true })
  const actions = (await trail(body.user._id)).map(entry => entry.text)
  expect(actions).toEqual(
    expect.arrayContaining(['Invited as friend', 'Accepted an invitation and chose a password']),
  )
  expect((await choose(tokenOf(link))).status, 'the link works once').toBe(422)
})

test('an invitation is valid for three days', async () => {
  const { body } = await invite('Three Days', 'three@example.com')
  const link = linkIn(await newest('three@example.com', 1))
  const { rows } = await app.database.pool.query(
    `update password_reset set expires_at = expires_at - interval '72 hours' where user_id = $1
       returning extract(epoch from expires_at - created_at)::int as seconds`,
    [body.user._id],
  )
  expect(rows).toEqual([{ seconds: 0 }])
  expect((await choose(tokenOf(link))).status).toBe(422)
})

test('a second click invites once; another name or a taken address is refused', async () => {
  const both = await Promise.all([
    invite('Dora Dean', 'dora@example.com'),
    invite('Dora Dean', 'dora@example.com'),
  ])
  expect(both.map(answer => answer.status)).toEqual([200, 200])
  expect(both[0].body.user._id).toBe(both[1].body.user._id)
  expect((await trail(both[0].body.user._id)).length).toBe(1)
  const other = await invite('Someone Else', 'DORA@example.com')
  expect([other.status, other.body.errors]).toEqual([
    409,
    { email: 'An account with this email already exists' },
  ])
  const wrong = await invite(' ', 'no address')
  expect(wrong.body.errors).toEqual({
    name: 'Name is required',
    email: 'Enter a valid email address',
  })
})

test('a sent again invitation ends the earlier link, and a canceled one leaves no account', async () => {
  const { body } = await invite('Rae Poe', 'rae@example.com')
  const userId = body.user._id
  const first = tokenOf(linkIn(await newest('rae@example.com', 1)))
  await app.call(resendInvitation, of(userId), admin.token)
  expect((await app.call(resendInvitation, of(userId), admin.token)).status).toBe(200)
  const second = tokenOf(linkIn(await newest('rae@example.com', 2)))
  expect((await choose(first)).status).toBe(422)
  expect((await app.call(cancelInvitation, of(userId), admin.token)).status).toBe(200)
  expect((await app.call(cancelInvitation, of(userId), admin.token)).status).toBe(404)
  expect((await choose(second)).status).toBe(422)
  expect((await invite('Rae Poe', 'rae@example.com')).status, 'the address is free').toBe(200)
})

test('an accepted invitation is neither canceled nor sent again', async () => {
  const { user } = await app.register()
  for (const endpoint of [resendInvitation, cancelInvitation]) {
    const { status, body } = await app.call(endpoint, of(user._id), admin.token)
    expect([status, body.message]).toEqual([409, 'This user has already accepted the invitation.'])
  }
})

test('an invited user with a balance is not canceled', async () => {
  const { body } = await invite('Rich Roe', 'rich@example.com')
  const userId = body.user._id
  await app.call(setUserDetails, { ...of(userId), body: { balance: 5 } }, admin.token)
  expect((await app.call(cancelInvitation, of(userId), admin.token)).status).toBe(409)
  expect((await line(userId))?.email).toBe('rich@example.com')
})

test('an administrator corrects an address: sessions end, the new one is unverified until its link is opened', async () => {
  const customer = await verified()
  const userId = customer.user._id
  const old = customer.user.email
  const { status, body } = await correct(userId, 'right@example.com')
  expect([status, body.user.email, body.user.emailVerified]).toEqual([
    200,
    'right@example.com',
    false,
  ])
  expect((await correct(userId, 'right@example.com')).status, 'a second click').toBe(200)
  expect((await app.call(verifySession, {}, customer.token)).status).toBe(401)
  expect((await newest(old, 1)).subject).toBe(
    'The email address of your Evenpost account was corrected',
  )
  const token = await app.signIn('right@example.com', PASSWORD)
  expect((await app.call(topUp, of(userId), token)).status).toBe(403)
  const link = linkIn(await newest('right@example.com', 1))
  expect((await app.call(verifyEmail, { body: { token: tokenOf(link) } })).status).toBe(200)
  expect((await app.call(emailStatus, of(userId), token)).body.verified).toBe(true)
  const [entry] = (await trail(userId)).filter(({ action }) => action === 'email-corrected')
  expect(entry!.text).toMatch(/^Corrected the email address \([\w-]{12} to [\w-]{12}\): Mistyped$/)
})

test('a correction needs a reason and a free address, and is not for administrators', async () => {
  const { user } = await app.register()
  expect((await correct(user._id, 'x@example.com', ' ')).body.errors).toEqual({
    reason: 'Reason is required',
  })
  expect((await correct(user._id, admin.user.email)).status).toBe(409)
  const second = await app.register()
  await app.call(setUserRole, { ...of(second.user._id), body: { user_role: 'admin' } }, admin.token)
  const refused = await correct(second.user._id, 'taken-over@example.com')
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'An administrator changes their address on the Account page.',
  ])
})

test('an invitation is not sent again to a blocked user until they are allowed', async () => {
  const { body } = await invite('Bo Lee', 'bo@example.com')
  const userId = body.user._id
  await newest('bo@example.com', 1)
  await aMinuteLater()
  const setTo = (activation: 'allow' | 'block') =>
    app.call(setUserActivation, { ...of(userId), body: { activation } }, admin.token)
  const send = () => app.call(resendInvitation, of(userId), admin.token)
  await setTo('block')
  const refused = await send()
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'This user is blocked. Allow them first.',
  ])
  await setTo('allow')
  expect((await send()).status).toBe(200)
  expect((await choose(tokenOf(linkIn(await newest('bo@example.com', 2))))).status).toBe(200)
})

test('a corrected invitation goes to the right mailbox', async () => {
  const { body } = await invite('Wes Roy', 'wrong-wes@example.com')
  const first = tokenOf(linkIn(await newest('wrong-wes@example.com', 1)))
  expect((await correct(body.user._id, 'wes@example.com')).status).toBe(200)
  expect((await choose(first)).status).toBe(422)
  const second = tokenOf(linkIn(await newest('wes@example.com', 1)))
  expect((await choose(second)).status).toBe(200)
})

test('a blocked user gets no invitation at a corrected address until they are allowed', async () => {
  const { body } = await invite('Di Fox', 'wrong-di@example.com')
  const userId = body.user._id
  const setTo = (activation: 'allow' | 'block') =>
    app.call(setUserActivation, { ...of(userId), body: { activation } }, admin.token)
  await setTo('block')
  const refused = await correct(userId, 'di@example.com')
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'This user is blocked. Allow them first.',
  ])
  expect((await line(userId))?.email).toBe('wrong-di@example.com')
  await setTo('allow')
  expect((await correct(userId, 'di@example.com')).status).toBe(200)
  expect((await choose(tokenOf(linkIn(await newest('di@example.com', 1))))).status).toBe(200)
})

test('an administrator sends a reset link and never sees it; a double click sends one', async () => {
  const { user } = await app.register()
  const send = () => app.call(sendResetLink, of(user._id), admin.token)
  const answers = [await send(), await send()]
  expect(answers.map(answer => answer.status)).toEqual([200, 200])
  const link = linkIn(await newest(user.email, 1))
  for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(tokenOf(link))
  expect(JSON.stringify(await trail(user._id))).not.toContain(tokenOf(link))
  expect((await choose(tokenOf(link), 'a brand new passphrase')).status).toBe(200)
  const { body } = await invite('No Password', 'none@example.com')
  expect((await app.call(sendResetLink, of(body.user._id), admin.token)).status).toBe(409)
  await app.call(setUserActivation, { ...of(user._id), body: { activation: 'block' } }, admin.token)
  await aMinuteLater()
  const refused = await send()
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'This user is blocked. Allow them first.',
  ])
})

test('none of it is possible while signed in as a user, or for a customer', async () => {
  const { user, token } = await app.register()
  const as = await app.call(loginAs, { ...of(user._id), body: {} }, admin.token)
  for (const by of [token, as.body.token]) {
    const answers = [
      await app.call(
        inviteUser,
        { body: { name: 'A', email: 'a@example.com', user_role: 'user' } },
        by,
      ),
      await app.call(
        correctEmail,
        { ...of(user._id), body: { email: 'a@example.com', reason: 'x' } },
        by,
      ),
      await app.call(sendResetLink, of(user._id), by),
      await app.call(resendInvitation, of(user._id), by),
      await app.call(cancelInvitation, of(user._id), by),
    ]
    expect(answers.map(answer => answer.status)).toEqual([403, 403, 403, 403, 403])
  }
})

const registeredAMonthAgo = (ids: string[]) =>
  app.database.pool.query(
    `update app_user set created_at = now() - interval '31 days' where id = any($1)`,
    [ids],
  )
const deletedOf = async (ids: string[]) => {
  const { rows } = await app.database.pool.query<{ id: number }>(
    'select id from app_user where deleted_at is not null and id = any($1)',
    [ids],
  )
  return rows.map(({ id }) => String(id))
}
/** As every start of the server and every hour, until the account is deleted. */
async function deleteUnused(id: string): Promise<void> {
  const next = await buildApp(app.ctx, { silent: true })
  await next.start()
  await expect.poll(() => deletedOf([id])).toEqual([id])
  await next.stop()
}

test('who signed out, or has a corrected address, keeps an account that is not verified yet', async () => {
  const signedOut = await app.register()
  const corrected = await app.register()
  // Later than the others, so that it is the last to be deleted.
  const unused = await app.register()
  const ids = [signedOut, corrected, unused].map(({ user }) => user._id)
  await registeredAMonthAgo(ids)
  // Without the session of the registration.
  await app.database.pool.query('delete from login_session where user_id = any($1)', [
    [signedOut.user._id, unused.user._id],
  ])
  await app.call(logout, {}, await app.signIn(signedOut.user.email, PASSWORD))
  expect((await correct(corrected.user._id, 'corrected@example.com')).status).toBe(200)
  await deleteUnused(unused.user._id)
  expect(await deletedOf(ids)).toEqual([unused.user._id])
})

test('accounts that were never verified and never used are deleted after 30 days, and no others', async () => {
  const unused = await app.register()
  const kept = {
    verified: await verified(),
    young: await app.register(),
    signedIn: await app.register(),
    paid: await app.register(),
    inviter: await app.register(),
  }
  await app.creditDollars(kept.paid.user._id, 5)
  const ids = [unused, kept.verified, kept.signedIn, kept.paid, kept.inviter].map(
    ({ user }) => user._id,
  )
  await registeredAMonthAgo(ids)
  await app.database.pool.query('delete from login_session where user_id <> $1', [
    kept.signedIn.user._id,
  ])
  await app.database.pool.query('update app_user set referred_by = $1 where id = $2', [
    kept.inviter.user._id,
    kept.young.user._id,
  ])
  await deleteUnused(unused.user._id)
  expect(await deletedOf([...ids, kept.young.user._id])).toEqual([unused.user._id])
  const { body } = await app.call(
    listAuditEntries,
    { query: { userId: unused.user._id } },
    await app.signIn(admin.user.email, admin.password),
  )
  expect(body.entries[0]!.text).toBe('Deleted: never verified and never used')
})
