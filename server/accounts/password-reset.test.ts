import { createHash } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  forgotPassword,
  login,
  resetPassword,
  setUserActivation,
  verifySession,
} from '#contract/accounts.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import { freedSince } from '#tests/support/freed-since.ts'
import { resetLinkIn, resetTokenIn, mailsTo } from '#tests/support/mail-outbox.ts'

const app = await testApp({ env: { PUBLIC_URL: 'https://post.example.com' } })

const NEW = 'a brand new passphrase'
const ask = (email: string, address?: string) =>
  app.call(forgotPassword, { body: { email } }, undefined, address)
const set = (token: string, password = NEW, address?: string) =>
  app.call(resetPassword, { body: { token, password } }, undefined, address)
const signIn = async (email: string, password: string) =>
  (await app.call(login, { body: { email, password } })).status
const sees = async (token: string) => (await app.call(verifySession, {}, token)).status
const mails = (email: string) => mailsTo(app.ctx.config.dataDir, email)

/** Requests a link and reads it from the newest mail. */
async function linkFor(email: string): Promise<string> {
  const before = (await mails(email)).length
  expect((await ask(email)).status).toBe(200)
  await expect.poll(async () => (await mails(email)).length).toBe(before + 1)
  return resetLinkIn((await mails(email)).at(-1)!)
}
const tokenFor = async (email: string) => (await linkFor(email)).split('#token=')[1]!
const audited = async (userId: string) =>
  (
    await app.database.db
      .selectFrom('audit_entry')
      .select(['action', 'detail'])
      .where('subject_id', '=', Number(userId))
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

test('a customer resets a forgotten password by email and is signed out everywhere', async () => {
  const { user, token: open, password } = await app.register()
  const token = await tokenFor(user.email.toUpperCase())
  const { status, body } = await set(token)
  expect([status, body]).toEqual([
    200,
    { ok: true, message: 'Password changed. Sign in with your new password.' },
  ])
  expect(await sees(open)).toBe(401)
  expect([await signIn(user.email, password), await signIn(user.email, NEW)]).toEqual([401, 200])
  expect(await audited(user._id)).toEqual([
    'register',
    'forgot-password',
    'reset-password',
    'login-denied',
    'login',
  ])
  await expect
    .poll(async () => (await mails(user.email)).map(mail => mail.subject))
    .toEqual(['Reset your Evenpost password', 'Your Evenpost password was changed'])
})

test('known and unknown emails get the same answer, and only an account gets a mail', async () => {
  const own = await testApp()
  const { user } = await own.register()
  const askOwn = (email: string) => own.call(forgotPassword, { body: { email } })
  const known = await askOwn(user.email)
  const unknown = await askOwn('unknown@example.com')
  const message = 'If this email has an account, a link is on its way.'
  expect([known.status, known.body]).toEqual([200, { ok: true, message }])
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  const requests = async () =>
    (
      await own.database.pool.query(
        "select user_id, written, ended_at from mail where kind = 'password-reset' order by id",
      )
    ).rows
  // A request of the unknown one leaves no row once it was looked up.
  await expect
    .poll(requests)
    .toMatchObject([{ user_id: Number(user._id), ended_at: expect.anything() }])
  const { dataDir } = own.ctx.config
  expect(await mailsTo(dataDir, user.email)).toHaveLength(1)
  expect(await mailsTo(dataDir, 'unknown@example.com')).toEqual([])
})

test('before the answer a request leaves the same record for a known and an unknown email', async () => {
  const own = await testApp({ env: { ROLE: 'worker' } }) // stores mails and sends none
  const { user } = await own.register()
  for (const email of [user.email, 'unknown100@example.com'])
    expect((await own.call(forgotPassword, { body: { email } })).status).toBe(200)
  const { rows } = await own.database.pool.query(`
    select kind, user_id, written, length(recipient_hash) as hash, attempts,
           extract(epoch from expires_at - created_at)::int as seconds from mail where kind = 'password-reset' order by id`)
  expect(rows).toEqual(
    Array(2).fill({
      kind: 'password-reset',
      user_id: null,
      written: false,
      hash: 43,
      attempts: 0,
      seconds: 3600,
    }),
  )
})

test('an invalid or empty email is refused at the field', async () => {
  expect((await ask(' ')).body.errors).toEqual({ email: 'Email is required' })
  const { status, body } = await ask('ana@example.com\r\nBcc: everyone@example.com')
  expect([status, body.errors]).toEqual([422, { email: 'Enter a valid email address' }])
})

test('the link has the configured public URL, regardless of the requested host', async () => {
  const { user } = await app.register()
  await app.send({
    method: 'POST',
    url: '/api/auth/forgot-password',
    payload: { email: user.email },
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  await expect.poll(async () => (await mails(user.email)).length).toBe(1)
  const [mail] = await mails(user.email)
  expect(resetLinkIn(mail!)).toMatch(
    /^https:\/\/post\.example\.com\/reset-password#token=[\w-]{43}$/,
  )
  expect(mail!.raw).not.toContain('evil.example')
})

test('a mail does not contain the name of its recipient', async () => {
  const { user } = await app.register('WIN $1000 at evil.example')
  await linkFor(user.email)
  expect((await mails(user.email))[0]!.raw).not.toContain('evil.example')
})

test('only the hash of a link is stored', async () => {
  const { user } = await app.register()
  const token = await tokenFor(user.email)
  const rows = await app.database.db
    .selectFrom('password_reset')
    .selectAll()
    .where('user_id', '=', Number(user._id))
    .execute()
  expect(rows.map(row => row.token_hash)).toEqual([createHash('sha256').update(token).digest()])
})

test('a link works once', async () => {
  const { user } = await app.register()
  const token = await tokenFor(user.email)
  expect((await set(token)).status).toBe(200)
  const { status, body } = await set(token, 'yet another passphrase')
  expect([status, body.message]).toEqual([
    422,
    'This link has been used or has expired. Request a new one.',
  ])
  expect(await signIn(user.email, NEW)).toBe(200)
})

test('simultaneous clicks on a link set one password', async () => {
  const { user } = await app.register()
  const token = await tokenFor(user.email)
  const answers = await Promise.all(Array.from({ length: 4 }, (_, n) => set(token, `${NEW} ${n}`)))
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 422, 422, 422])
  const winner = answers.findIndex(answer => answer.status === 200)
  expect(await signIn(user.email, `${NEW} ${winner}`)).toBe(200)
})

test('a link is valid for an hour', async () => {
  const { user } = await app.register()
  const token = await tokenFor(user.email)
  const older = (minutes: number) =>
    app.database.pool.query(
      `update password_reset set expires_at = expires_at - $2 * interval '1 minute' where user_id = $1`,
      [user._id, minutes],
    )
  const {
    rows: [{ minutes }],
  } = await app.database.pool.query(
    `select round(extract(epoch from expires_at - created_at) / 60)::int as minutes from password_reset where user_id = $1`,
    [user._id],
  )
  expect(minutes).toBe(60)
  await older(61)
  expect((await set(token)).status).toBe(422)
  await older(-59)
  expect((await set(token)).status).toBe(200)
})

test('using one link invalidates the others', async () => {
  const { user } = await app.register()
  const first = await tokenFor(user.email)
  const second = await tokenFor(user.email)
  expect((await set(second)).status).toBe(200)
  expect((await set(first)).status).toBe(422)
})

test('an invalid password is refused at its field and leaves the link valid', async () => {
  const { user, token: open } = await app.register()
  const token = await tokenFor(user.email)
  expect((await set(token, '')).body.errors).toEqual({ password: 'Password is required' })
  expect((await set(token, 'short')).body.errors).toEqual({
    password: 'Password must be at least 8 characters',
  })
  expect((await set(token, 'password1')).body.errors?.password).toMatch(/too easy to guess/)
  expect(await sees(open)).toBe(200)
  expect((await set(token)).status).toBe(200)
})

test('a blocked user gets the same answer but no mail, and older links no longer work', async () => {
  const { user } = await app.register()
  const admin = await app.admin()
  const token = await tokenFor(user.email)
  await app.call(
    setUserActivation,
    { params: { userId: user._id }, body: { activation: 'block' } },
    admin.token,
  )
  expect((await ask(user.email)).body).toEqual((await ask('unknown@example.com')).body)
  await expect
    .poll(() => audited(user._id))
    .toEqual(['register', 'forgot-password', 'block', 'forgot-password'])
  expect(await mails(user.email)).toHaveLength(1)
  const { status, body } = await set(token)
  expect([status, body.message]).toEqual([403, 'This account is blocked. Please contact support.'])
})

const countWaiting = async () =>
  (await app.database.pool.query('select 1 from mail where ended_at is null')).rowCount
/** Waits until every request has been handled. */
async function settled() {
  await expect.poll(countWaiting).toBe(0)
}

test('strangers who ask for an account’s link a hundred times are answered alike, and its mailbox gets three links', async () => {
  const { user } = await app.register()
  const begun = performance.now()
  for (let n = 0; n < 20; n++) {
    const answers = await Promise.all(
      [user.email, 'stranger@example.com'].flatMap(email => [ask(email), ask(email), ask(email)]),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`)).size).toBe(1)
    if (n % 5 === 4) await settled()
  }
  const sent = await mails(user.email)
  expect(sent).toHaveLength(3)
  for (const mail of sent.slice(1)) expect(resetTokenIn(mail)).not.toBe(resetTokenIn(sent[0]!))
  expect((await set(resetTokenIn(sent[0]!))).status, 'the oldest link').toBe(200)
  const notes = (await audited(user._id)).filter(action => action === 'forgot-password')
  const minutes = Math.ceil((performance.now() - begun) / 60_000)
  expect(notes.length, 'three links and, once a minute, that none was sent').toBeLessThanOrEqual(
    3 + 1 + minutes,
  )
})

test('while strangers ask, the owner has a valid link at any time, and no more than two in an hour arrive', async () => {
  const { user } = await app.register()
  const id = Number(user._id)
  const validFor = async (): Promise<number> => {
    const { rows } = await app.database.pool.query<{ minutes: number }>(
      `select extract(epoch from max(expires_at) - now())::int / 60 as minutes from password_reset
         where user_id = $1 and used_at is null`,
      [id],
    )
    return rows[0]!.minutes
  }
  for (let minutes = 0; minutes < 6 * 60; minutes += 15) {
    await ask(user.email)
    await settled()
    expect(await validFor(), `after ${minutes} minutes`).toBeGreaterThanOrEqual(14)
    await app.database.pool.query(
      `update password_reset set created_at = created_at - interval '15 minutes', expires_at = expires_at - interval '15 minutes'
         where user_id = $1`,
      [id],
    )
  }
  expect((await mails(user.email)).length).toBeLessThanOrEqual(12)
})

test('the owner gets another link in a known browser, however often strangers have asked', async () => {
  const { user } = await app.register()
  const response = await app.send({
    method: 'POST',
    url: login.path,
    payload: { email: user.email, password: PASSWORD },
  })
  const device = response.cookies.find(({ name }) => name.startsWith('evenpost-device-'))!
  const askWith = async (cookie: string) => {
    await app.send({
      method: 'POST',
      url: forgotPassword.path,
      payload: { email: user.email },
      headers: { cookie },
    })
    await settled()
    return (await mails(user.email)).length
  }
  for (let n = 0; n < 4; n++) await askWith('')
  expect(await askWith('')).toBe(3)
  expect(await askWith(`${device.name}=${device.value}`)).toBe(4)
})

test('after a used link a new one is sent at once', async () => {
  const { user } = await app.register()
  for (let n = 0; n < 4; n++) await ask(user.email)
  await settled()
  expect((await set(resetTokenIn((await mails(user.email))[0]!))).status).toBe(200)
  await settled()
  const before = (await mails(user.email)).length
  await ask(user.email)
  await settled()
  expect((await mails(user.email)).length).toBe(before + 1)
})

test('requests are throttled per network', async () => {
  const begun = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, n) => ask(`person${n}@example.com`, '203.0.113.40')),
  )
  const sent = answers.filter(answer => answer.status === 200).length
  expect(sent).toBeGreaterThanOrEqual(20)
  // One more is free each 45 s, as on a machine that stood still.
  expect(sent).toBeLessThanOrEqual(20 + freedSince(begun, 45))
})

test('guessing links is throttled', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => set(`guess ${n}`, NEW, '203.0.113.41')),
  )
  expect(answers.some(answer => answer.status === 429)).toBe(true)
  // So that a slow machine gives none back meanwhile.
  await app.database.pool.query(
    `update throttle set resets_at = now() + interval '16 minutes' where key = 'reset:address:203.0.113.41'`,
  )
  expect((await set('one more guess', NEW, '203.0.113.41')).status).toBe(429)
  const { user } = await app.register()
  const token = await tokenFor(user.email)
  expect((await set(token, NEW, '203.0.113.41')).status, 'a valid link').toBe(200)
})

test('wrong guesses before a reset do not delay the sign-in with the new password', async () => {
  const { user } = await app.register()
  const guess = async (n: number) =>
    (
      await app.call(
        login,
        { body: { email: user.email, password: `guess ${n}` } },
        undefined,
        '203.0.113.42',
      )
    ).status
  for (let n = 0; n < 10; n++) await guess(n)
  expect(await guess(11)).toBe(429)
  await set(await tokenFor(user.email))
  expect(await signIn(user.email, NEW)).toBe(200)
})

test('a sign-in with the old password during a reset is refused', async () => {
  const { user, password } = await app.register()
  const other = new pg.Client(app.database.url)
  await other.connect()
  await other.query('begin')
  await other.query('select id from app_user where id = $1 for update', [user._id])
  const late = signIn(user.email, password)
  await expect
    .poll(
      async () =>
        (
          await other.query(
            `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows[0].n,
    )
    .toBe(1)
  await other.query(`update app_user set password_hash = 'another' where id = $1`, [user._id])
  await other.query('commit')
  await other.end()
  expect(await late).toBe(401)
})
