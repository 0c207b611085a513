import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { login, register, verifySession } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'

const app = await testApp()

const form = (changes: object = {}) => ({
  body: {
    name: 'Ana',
    email: 'ana@example.com',
    password: PASSWORD,
    confirmPassword: PASSWORD,
    ...changes,
  },
})
const signIn = (email: string, password: string, address?: string) =>
  app.call(login, { body: { email, password } }, undefined, address)
const audited = async (userId: string) =>
  (
    await app.database.db
      .selectFrom('audit_entry')
      .select('action')
      .where('subject_id', '=', Number(userId))
      .orderBy('id')
      .execute()
  ).map(entry => entry.action)

test('a visitor who registers is signed in, with an empty wallet and a referral code', async () => {
  const { token, user } = await app.register('Ben')
  expect(user).toMatchObject({
    name: 'Ben',
    user_role: 'user',
    balance: 0,
    totalDeposit: 0,
    totalSpent: 0,
    activation: 'allow',
  })
  expect(user.referralCode).toMatch(/^[2-9A-Z]{8}$/)
  expect((await app.call(verifySession, {}, token)).body.user).toEqual(user)
  await app.creditDollars(user._id, 12.5)
  expect((await app.call(verifySession, {}, token)).body.user).toMatchObject({
    balance: 12.5,
    totalDeposit: 12.5,
  })
})

test('empty fields are named one by one', async () => {
  const { status, body } = await app.call(register, {
    body: { name: 'Ana', email: 'ana@example.com' },
  })
  expect(status).toBe(422)
  expect(body).toEqual({
    message: 'Please fill in all fields',
    error: 'Please fill in all fields',
    errors: { password: 'Please fill in all fields', confirmPassword: 'Please fill in all fields' },
    code: 'required',
    codes: { password: 'required', confirmPassword: 'required' },
  })
})

test('two different passwords create no account', async () => {
  const { status, body } = await app.call(
    register,
    form({ email: 'differ@example.com', confirmPassword: 'another passphrase' }),
  )
  expect([status, body.message, body.errors]).toEqual([
    422,
    "Passwords don't match",
    { confirmPassword: "Passwords don't match" },
  ])
  expect((await signIn('differ@example.com', PASSWORD)).status).toBe(401)
})

test('a taken email is refused in any letter case', async () => {
  expect((await app.call(register, form({ email: 'Taken@Example.com' }))).status).toBe(200)
  const { status, body } = await app.call(register, form({ email: ' taken@example.COM ' }))
  expect(status).toBe(409)
  expect(body.errors).toEqual({ email: body.message })
})

test('of simultaneous registrations with one email one succeeds and the others are refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.call(register, form({ email: 'race@example.com' }))),
  )
  expect(answers.map(answer => answer.status).sort()).toEqual([
    200, 409, 409, 409, 409, 409, 409, 409,
  ])
})

test('an unknown referral code is refused at its field and creates no account', async () => {
  const { status, body } = await app.call(
    register,
    form({ email: 'code@example.com', referralCode: 'NOBODY99' }),
  )
  expect([status, body.errors]).toEqual([
    422,
    { referralCode: 'This referral code does not exist' },
  ])
  expect(
    (await app.call(register, form({ email: 'code@example.com', referralCode: null }))).status,
  ).toBe(200)
})

test('registration cannot set the administrator role or a balance', async () => {
  const input = {
    email: 'greedy@example.com',
    user_role: 'admin',
    balance: 1000,
    activation: 'block',
    _id: '1',
  }
  const { body } = await app.call(register, form(input))
  expect(body.user).toMatchObject({ user_role: 'user', balance: 0, activation: 'allow' })
})

test('a customer signs in with the email in any letter case; each session is new', async () => {
  const { user, token } = await app.register()
  const first = await signIn(user.email.toUpperCase(), PASSWORD)
  const signedIn = first.body as SignedIn
  expect([first.status, signedIn.user]).toEqual([200, user])
  expect(signedIn.token).not.toBe(token)
  expect(await audited(user._id)).toEqual(['register', 'login'])
})

test('a wrong password and an unknown email get the same answer', async () => {
  const { user } = await app.register()
  const wrong = await signIn(user.email, 'not the passphrase')
  const unknown = await signIn('unknown@example.com', 'not the passphrase')
  const nonsense = await signIn('no\u0000body', 'not the passphrase')
  expect(wrong).toMatchObject({ status: 401, body: { message: 'Wrong email or password' } })
  expect([unknown.status, unknown.body]).toEqual([401, wrong.body])
  expect([nonsense.status, nonsense.body]).toEqual([401, wrong.body])
  expect(await audited(user._id)).toEqual(['register', 'login-denied'])
})

test('a sign-in without email or password names the missing field', async () => {
  const { status, body } = await signIn(' ', '')
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['email', 'password']])
})

test('guessing at one account is throttled after ten attempts, with the time to wait', async () => {
  const { user } = await app.register()
  const guess = (password: string) => signIn(user.email, password, '203.0.113.20')
  for (let n = 0; n < 10; n++) expect((await guess(`guess number ${n}`)).status).toBe(401)
  const { status, headers, body } = await guess('guess number 11')
  expect(status).toBe(429)
  const wait = Number(headers['retry-after'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(90)
  expect(body.message).toContain(`${wait} second`)
  expect((await guess(PASSWORD)).status).toBe(429)
})

test('guessing at many accounts from one network is throttled after ten attempts; other networks are not', async () => {
  const { user } = await app.register()
  for (let n = 0; n < 10; n++)
    expect((await signIn(`victim${n}@example.com`, 'a guess', '203.0.113.9')).status).toBe(401)
  expect((await signIn('victim11@example.com', 'a guess', '203.0.113.9')).status).toBe(429)
  expect((await signIn(user.email, PASSWORD, '203.0.113.10')).status).toBe(200)
})

test('simultaneous guesses gain little', async () => {
  const { user } = await app.register()
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => signIn(user.email, `guess number ${n}`, '203.0.113.21')),
  )
  const statuses = answers.map(answer => answer.status)
  expect(statuses.filter(status => status === 401)).toHaveLength(10)
  expect(statuses.filter(status => status === 429)).toHaveLength(30)
})

test('a large office can sign in from one network at the same time', async () => {
  const people = await Promise.all(Array.from({ length: 15 }, () => app.register()))
  const answers = await Promise.all(
    people.map(({ user }) => signIn(user.email, PASSWORD, '198.51.100.7')),
  )
  expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]))
})

test('a network can register sixty accounts a minute; other networks are not affected', async () => {
  const join = (n: number, address = '198.51.100.8') =>
    app.call(register, form({ email: `crowd${n}@example.com` }), undefined, address)
  const usedUp = (seconds: number) =>
    app.database.db
      .updateTable('throttle')
      .set({ resets_at: sql<Date>`now() + ${seconds} * interval '1 second'` })
      .where('key', '=', 'register:198.51.100.8')
      .execute()
  expect((await join(1)).status).toBe(200)
  await usedUp(30) // thirty of sixty
  expect((await join(2)).status).toBe(200)
  await usedUp(119) // all of them, and the clock of a slow machine cannot give any back meanwhile
  const refused = await join(3)
  expect([refused.status, refused.body.message]).toEqual([
    429,
    'Too many registrations from your network. Try again in a minute.',
  ])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await join(4, '198.51.100.9')).status).toBe(200)
})

test('passwords are stored only as Argon2id with 19 MiB and two passes', async () => {
  await app.register()
  const rows = await app.database.db.selectFrom('app_user').select('password_hash').execute()
  for (const row of rows) expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
