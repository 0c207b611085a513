import { afterAll, expect, test } from 'vitest'
import {
  loginAs,
  saveAccount,
  setUserActivation,
  setUserDetails,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { proofOptions, prove } from '#contract/second-factor.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { stopClock } from '#tests/support/stopped-clock.ts'
import {
  forgetUsedCodes,
  registerWithApp,
  setUpApp,
  setUpPasskey,
  SITE,
} from '#tests/support/two-step.ts'

const app = await testApp({ env: { PUBLIC_URL: SITE, REQUIRE_PROOF: 'yes' } })
// A code of the app is right for half a minute.
afterAll(stopClock())
const first = await app.admin()

async function newAdmin(): Promise<TestUser> {
  const user = await app.register()
  const params = { userId: user.user._id }
  await app.call(setUserRole, { params, body: { user_role: 'admin' } }, first.token)
  return user
}
/** As if the last proof were 31 minutes old. */
const age = ({ user }: TestUser) =>
  app.database.pool.query(
    `update login_session set proven_at = now() - interval '31 minutes' where user_id = $1`,
    [user._id],
  )
const proveBy = (of: TestUser, body: Parameters<typeof app.call<typeof prove>>[1]['body']) =>
  app.call(prove, { body }, of.token)
const setBalance = async (by: TestUser, balance: number) => {
  const { user } = await app.register()
  const params = { userId: user._id }
  return app.call(setUserDetails, { params, body: { balance } }, by.token)
}
const deniedCount = async ({ user }: TestUser): Promise<number> => {
  const { rowCount } = await app.database.pool.query(
    `select 1 from audit_entry where subject_id = $1 and action in ('forbidden', 'proof-denied')`,
    [user._id],
  )
  return rowCount ?? 0
}

test('a fresh sign-in is a proof; after half an hour the balance of a customer needs a new one', async () => {
  const admin = await newAdmin()
  expect((await setBalance(admin, 1)).status).toBe(200)
  await age(admin)
  const refused = await setBalance(admin, 1)
  expect([refused.status, refused.body]).toEqual([
    403,
    {
      message: 'Please confirm first that it is you.',
      error: 'Please confirm first that it is you.',
      code: 'proof_required',
      methods: ['password'],
    },
  ])
  expect((await proveBy(admin, { password: PASSWORD })).status).toBe(200)
  expect((await setBalance(admin, 1)).status).toBe(200)
})

test('a proof opens its own session only', async () => {
  const admin = await newAdmin()
  const other = { ...admin, token: await app.signIn(admin.user.email, PASSWORD) }
  await age(admin)
  await proveBy(other, { password: PASSWORD })
  expect((await setBalance(other, 1)).status).toBe(200)
  expect((await setBalance(admin, 1)).status).toBe(403)
})

test('other calls go on without a proof, and what is refused for want of one is no denial', async () => {
  const admin = await newAdmin()
  await age(admin)
  const { user } = await app.register()
  const params = { userId: user._id }
  const blocked = await app.call(
    setUserActivation,
    { params, body: { activation: 'block' } },
    admin.token,
  )
  expect(blocked.status).toBe(200)
  await setBalance(admin, 1)
  expect(await deniedCount(admin)).toBe(0)
})

test('wrong passwords are told, recorded and slowed down', async () => {
  const admin = await newAdmin()
  await age(admin)
  const wrong = await proveBy(admin, { password: 'wrong' })
  expect([wrong.status, Object.keys(wrong.body.errors!)]).toEqual([422, ['password']])
  for (let n = 0; n < 9; n++) await proveBy(admin, { password: 'wrong' })
  expect((await proveBy(admin, { password: PASSWORD })).status).toBe(429)
  expect((await setBalance(admin, 1)).status).toBe(403)
})

test('who has a factor proves it, and the password alone is not enough', async () => {
  const admin = await setUpApp(app, await newAdmin())
  await age(admin)
  expect((await setBalance(admin, 1)).body.methods).toEqual(['totp', 'recovery'])
  const byPassword = await proveBy(admin, { password: PASSWORD })
  expect([byPassword.status, byPassword.body.message]).toEqual([
    422,
    'Your account has two-step sign-in. Confirm with your second factor instead of the password.',
  ])
  expect((await proveBy(admin, { code: admin.phone.wrongCode() })).status).toBe(422)
  expect((await setBalance(admin, 1)).status).toBe(403)
  const code = admin.phone.code(1)
  expect((await proveBy(admin, { code })).status).toBe(200)
  expect((await setBalance(admin, 1)).status).toBe(200)
  await age(admin)
  expect((await proveBy(admin, { code })).status).toBe(422)
  const recovery = admin.recoveryCodes[0]!
  expect((await proveBy(admin, { recovery })).status).toBe(200)
  expect((await proveBy(admin, { recovery })).status).toBe(422)
})

test('a passkey proves its user, once for each question', async () => {
  const ben = await newAdmin()
  const { passkey } = await setUpPasskey(app, ben)
  await age(ben)
  const { body } = await app.call(proofOptions, {}, ben.token)
  expect(body).toMatchObject({
    methods: ['passkey', 'recovery'],
    options: { allowCredentials: [{ id: passkey.id }] },
  })
  const answer = passkey.sign(body.options!)
  expect((await proveBy(ben, { passkey: answer })).status).toBe(200)
  expect((await setBalance(ben, 1)).status).toBe(200)
  expect((await proveBy(ben, { passkey: answer })).status).toBe(409)
  const eve = await registerWithApp(app)
  const { body: again } = await app.call(proofOptions, {}, ben.token)
  expect((await proveBy(eve, { passkey: passkey.sign(again.options!) })).status).toBe(409)
})

test('one code sent many times at once is one proof', async () => {
  const admin = await setUpApp(app, await newAdmin())
  await forgetUsedCodes(app, admin)
  const code = admin.phone.code(1)
  const answers = await Promise.all([1, 2, 3, 4].map(() => proveBy(admin, { code })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
})

test('the current password is proof enough for a new one', async () => {
  const ana = await app.register()
  await age(ana)
  const params = { userId: ana.user._id }
  const body = { name: 'Ana', password: 'another long passphrase', currentPassword: PASSWORD }
  expect((await app.call(saveAccount, { params, body }, ana.token)).status).toBe(200)
})

test('an administrator signed in as a customer can prove nothing in their name', async () => {
  const ana = await app.register()
  const params = { userId: ana.user._id }
  const acting = (await app.call(loginAs, { params, body: {} }, first.token)).body.token
  for (const answer of [
    await app.call(prove, { body: { password: PASSWORD } }, acting),
    await app.call(proofOptions, {}, acting),
  ])
    expect(answer.status).toBe(403)
  expect((await app.call(verifySession, {}, acting)).status).toBe(200)
})

test('with a second factor a new password needs a proof, another name does not', async () => {
  const ana = await registerWithApp(app)
  const params = { userId: ana.user._id }
  const save = (password: string) =>
    app.call(
      saveAccount,
      { params, body: { name: 'Ana', password, currentPassword: PASSWORD } },
      ana.token,
    )
  await age(ana)
  expect((await save('')).status).toBe(200)
  const refused = await save('a brand new passphrase')
  expect([refused.status, refused.body.code, refused.body.methods]).toEqual([
    403,
    'proof_required',
    ['totp', 'recovery'],
  ])
  await forgetUsedCodes(app, ana)
  expect((await proveBy(ana, { code: ana.phone.code() })).status).toBe(200)
  expect((await save('a brand new passphrase')).status).toBe(200)

  const ben = await app.register()
  await age(ben)
  const body = { name: 'Ben', password: 'a brand new passphrase', currentPassword: PASSWORD }
  const own = await app.call(saveAccount, { params: { userId: ben.user._id }, body }, ben.token)
  expect(own.status).toBe(200)
})
