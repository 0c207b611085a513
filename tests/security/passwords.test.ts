/** Passwords, and the ways in for who does not know them: lines 1 to 15 of docs/security.md. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  forgotPassword,
  login,
  register,
  resetPassword,
  saveAccount,
  setUserDetails,
  verifySession,
} from '#contract/accounts.ts'
import { argon2 } from '#server/accounts/password.ts'
import { buildApp } from '#server/app.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import { resetLinkIn, mailsTo } from '#tests/support/mail-outbox.ts'
import { repeatIfLate } from './repeat-if-late.ts'

const PUBLIC_URL = 'https://post.example.com'
const app = await testApp({ env: { PUBLIC_URL } })

let people = 0
const registerWith = (password: string, email = `p${++people}@example.com`, address?: string) =>
  app.call(
    register,
    { body: { name: 'Pat', email, password, confirmPassword: password } },
    undefined,
    address,
  )
const signIn = (email: string, password: string, address?: string) =>
  app.call(login, { body: { email, password } }, undefined, address)
const verifyStatus = async (token: string) => (await app.call(verifySession, {}, token)).status

let networks = 0
const newNetwork = (): string => `198.51.100.${++networks}`

/** The app once more, as after a restart: the same database, empty memory. */
async function restartedApp(config: Partial<typeof app.ctx.config> = {}) {
  const built = await buildApp(
    { ...app.ctx, config: { ...app.ctx.config, ...config } },
    { silent: true },
  )
  await built.start()
  onTestFinished(() => built.stop())
  return (remoteAddress: string, email: string, headers: Record<string, string> = {}) =>
    built.app.inject({
      method: 'POST',
      url: login.path,
      payload: { email, password: 'not this one' },
      headers,
      remoteAddress,
    })
}

/** The mails to an address, once there are so many. */
async function waitForMails(email: string, many: number) {
  const mails = () => mailsTo(app.ctx.config.dataDir, email)
  await expect.poll(async () => (await mails()).length).toBe(many)
  return mails()
}
/** The link of the newest of them. */
const linkFor = async (email: string, many = 1): Promise<URL> =>
  new URL(resetLinkIn((await waitForMails(email, many)).at(-1)!))

test('01 a password has 8 to 128 characters, without composition rules', async () => {
  expect((await registerWith('seven 7')).body.errors).toEqual({
    password: 'Password must be at least 8 characters',
  })
  expect((await registerWith('q'.repeat(64) + 'w'.repeat(65))).body.errors).toEqual({
    password: 'Password must be at most 128 characters',
  })
  for (const fine of ['plumtree', '73519820', 'q'.repeat(64) + 'w'.repeat(64)])
    expect((await registerWith(fine)).status).toBe(200)
})

test('02 common passwords are refused: twelve thousand of them, and words of the shipping domain', async () => {
  const lines = JSON.parse(
    readFileSync('server/accounts/common-passwords.json', 'utf8'),
  ) as string[]
  expect(new Set(lines.join(' ').split(' ')).size).toBeGreaterThan(10_000)
  const guessed = [
    'password1',
    'iloveyou',
    'Liverpool',
    'TRUSTNO1',
    '1q2w3e4r',
    'sunshine',
    'evenpost1',
    'Shipping2026',
    'zzzzzzzzzz',
  ]
  for (const password of guessed) {
    expect([password, (await registerWith(password)).body.errors]).toEqual([
      password,
      { password: expect.stringContaining('too easy to guess') },
    ])
  }
})

test('03 a password is used as typed: spaces and letter case count, a rocket is a letter', async () => {
  const email = 'typed@example.com'
  const typed = '  Zürich 🚀 by Night '
  expect((await registerWith(typed, email)).status).toBe(200)
  const tries = await Promise.all(
    [typed, typed.trim(), typed.toLowerCase()].map(one => signIn(email, one)),
  )
  expect(tries.map(({ status }) => status)).toEqual([200, 401, 401])
})

test('04 a password is stored as Argon2id with 19 MiB, two passes and its own salt, and in no other form', async () => {
  const [one, two] = [
    (await registerWith('the very same passphrase')).body.user,
    (await registerWith('the very same passphrase')).body.user,
  ]
  const { rows } = await app.database.pool.query<{ kept: string; line: string }>(
    'select password_hash as kept, u::text as line from app_user u where id = any($1)',
    [[one._id, two._id]],
  )
  for (const { kept, line } of rows) {
    expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(line).not.toContain('passphrase')
  }
  expect(rows[0]!.kept).not.toBe(rows[1]!.kept)
})

test('05 a new password needs the current one, and ends the other sign-ins', async () => {
  const { user, token } = await app.register()
  const other = await app.signIn(user.email, PASSWORD)
  const change = (currentPassword?: string) =>
    app.call(
      saveAccount,
      {
        params: { userId: user._id },
        body: { name: user.name, password: 'quite another passphrase', currentPassword },
      },
      token,
    )
  expect([
    (await change()).status,
    (await change('a wrong one')).status,
    await verifyStatus(other),
  ]).toEqual([422, 422, 200])
  expect([
    (await change(PASSWORD)).status,
    await verifyStatus(token),
    await verifyStatus(other),
  ]).toEqual([200, 200, 401])
})

test('07 a wrong password and an unknown address get the same words for the same work', async () => {
  const { user } = await app.register()
  const verify = vi.spyOn(argon2, 'verify')
  const counted = new AsyncLocalStorage<string[]>()
  const { query } = pg.Client.prototype
  const counter = vi.spyOn(pg.Client.prototype, 'query')
  counter.mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | pg.QueryConfig]
    counted.getStore()?.push(typeof first === 'string' ? first : first.text)
    return Reflect.apply(query, this, given)
  })
  onTestFinished(() => {
    verify.mockRestore()
    counter.mockRestore()
  })
  // The hash takes ten times as long as all the rest, so equal parameters mean an equal time. Times of a busy machine differ by more
  // than the 20 % that matter; its work does not. Statements of jobs in the background are not counted.
  const attempt = async (email: string) => {
    verify.mockClear()
    const statements: string[] = []
    const { status, body } = await counted.run(statements, () =>
      signIn(email, 'not the passphrase'),
    )
    const work = verify.mock.calls.map(([stored]) => String(stored).split('$').slice(0, 4))
    return { status, body, work, statements }
  }
  const known = await attempt(user.email)
  expect(await attempt('unknown@example.com')).toEqual(known)
  expect(known.statements.length).toBeGreaterThan(3)
  const message = 'Wrong email or password'
  expect(known).toEqual({
    status: 401,
    body: { message, error: message, code: 'credentials_wrong' },
    work: [['', 'argon2id', 'v=19', 'm=19456,t=2,p=1']],
    statements: known.statements,
  })
})

test('08 registration tells that an address is taken, and registrations from one network are slowed', async () => {
  const { user } = await app.register()
  const taken = await registerWith('another long passphrase', user.email.toUpperCase())
  expect([taken.status, Object.keys(taken.body.errors!)]).toEqual([409, ['email']])
  const burst = async () => {
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => registerWith('short', user.email, '192.0.2.8')),
    )
    return responses.map(({ status }) => status)
  }
  // Sixty are free, and one more for each second that has passed.
  expect(new Set(await burst())).toEqual(new Set([422]))
  await expect.poll(burst).toContain(429)
})

test('09 a request for a new password gets the same answer, known account or not', async () => {
  const { user } = await app.register()
  const ask = async (email: string) => {
    const { status, body, headers } = await app.call(forgotPassword, { body: { email } })
    return { status, body, heads: Object.keys(headers).toSorted() }
  }
  expect(await ask(user.email)).toEqual(await ask('unknown@example.com'))
})

test('10 guessing is slowed by account and by network; it is a delay, never a lock', async () => {
  const guess = async (email: string, address: string, tries: number) => {
    const answers = []
    for (let i = 0; i < tries; i++) answers.push(await signIn(email, `guess ${i}`, address))
    return answers
  }
  // One attempt returns in 90 s.
  const { email, other, fromOne, fromOther } = await repeatIfLate(80, async () => {
    const { user } = await app.register()
    const another = newNetwork()
    return {
      email: user.email,
      other: another,
      fromOne: await guess(user.email, newNetwork(), 12),
      fromOther: await guess(user.email, another, 5),
    }
  })
  expect(fromOne.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429, 429])
  const wait = Number(fromOne.at(-1)!.headers['retry-after'])
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(90)
  // Of an account whose ten are used up, another network has three more.
  expect(fromOther.map(({ status }) => status)).toEqual([...Array<number>(3).fill(401), 429, 429])
  const shift = (seconds: number) =>
    app.database.pool.query(
      `update throttle set resets_at = resets_at - $1 * interval '1 second' where key like 'login:%'`,
      [seconds],
    )
  // When the wait is over, the network has another attempt.
  await shift(Number(fromOther.at(-1)!.headers['retry-after']))
  expect((await signIn(email, PASSWORD, other)).status).toBe(200)
  const ofMany = await repeatIfLate(80, async () => {
    const [from, statuses] = [newNetwork(), [] as number[]]
    for (let i = 0; i < 11; i++)
      statuses.push((await signIn(`unknown${i}@example.com`, 'guess', from)).status)
    return statuses
  })
  expect(ofMany).toEqual([...Array<number>(10).fill(401), 429])
})

test('11 a restart forgets no attempt', async () => {
  const status = await repeatIfLate(80, async () => {
    const [{ user }, from] = [await app.register(), newNetwork()]
    for (let i = 0; i < 10; i++) await signIn(user.email, `guess ${i}`, from)
    const restarted = await restartedApp()
    return (await restarted(from, user.email)).statusCode
  })
  expect(status).toBe(429)
})

test('12 a forwarded caller address counts only from a trusted proxy', async () => {
  const tries = async (
    at: Awaited<ReturnType<typeof restartedApp>>,
    from: string,
    claimed: (i: number) => string,
  ) => {
    const statuses = []
    for (let i = 0; i < 11; i++) {
      statuses.push(
        (await at(from, `claim${++people}@example.com`, { 'x-forwarded-for': claimed(i) }))
          .statusCode,
      )
    }
    return statuses.at(-1)
  }
  const [open, behind] = [await restartedApp(), await restartedApp({ trustProxy: '192.0.2.12' })]
  expect(await tries(open, '192.0.2.13', i => `203.0.113.${i}`)).toBe(429)
  expect(await tries(behind, '192.0.2.14', i => `203.0.113.${i}`)).toBe(429)
  expect(await tries(behind, '192.0.2.12', i => `203.0.113.${100 + i}`)).toBe(401)
  expect(await tries(behind, '192.0.2.12', () => '203.0.113.200')).toBe(429)
})

test('13 a mailed link has 32 random bytes, is stored as a hash, works once and for an hour, and ends all sign-ins', async () => {
  const { user, token: signedIn } = await app.register()
  const ask = () => app.call(forgotPassword, { body: { email: user.email } })
  const set = (token: string, password = 'a brand new passphrase') =>
    app.call(resetPassword, { body: { token, password } })
  await ask()
  const token = (await linkFor(user.email)).hash.slice('#token='.length)
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const { rows } = await app.database.pool.query<{ line: string }>(
    'select r::text as line from password_reset r',
  )
  expect(rows.filter(({ line }) => line.includes(token))).toEqual([])
  expect(
    rows.filter(({ line }) => line.includes(createHash('sha256').update(token).digest('hex'))),
  ).toHaveLength(1)
  expect([
    (await set(token)).status,
    (await set(token)).status,
    await verifyStatus(signedIn),
  ]).toEqual([200, 422, 401])
  await waitForMails(user.email, 2) // the second one says that the password was changed
  await ask()
  const late = (await linkFor(user.email, 3)).hash.slice('#token='.length)
  await app.database.pool.query(
    `update password_reset set expires_at = expires_at - interval '1 hour' where user_id = $1`,
    [user._id],
  )
  expect((await set(late)).status).toBe(422)
})

test('14 an administrator cannot choose another user’s password', async () => {
  const [{ user, token }, admin] = [await app.register(), await app.admin()]
  const body = { name: user.name, password: 'chosen by another user', currentPassword: PASSWORD }
  expect(
    (await app.call(saveAccount, { params: { userId: user._id }, body }, admin.token)).status,
  ).toBe(403)
  const smuggled = {
    referralCode: `PAT-${user._id}`,
    password: 'chosen by another user',
    password_hash: 'x',
  }
  expect(
    (await app.call(setUserDetails, { params: { userId: user._id }, body: smuggled }, admin.token))
      .status,
  ).toBe(200)
  expect([(await signIn(user.email, PASSWORD)).status, await verifyStatus(token)]).toEqual([
    200, 200,
  ])
})

test('15 no Host header changes where a mailed link leads', async () => {
  const { user } = await app.register()
  const headers = {
    host: 'evil.example.net',
    'x-forwarded-host': 'evil.example.net',
    forwarded: 'host=evil.example.net',
  }
  await app.send({
    method: 'POST',
    url: forgotPassword.path,
    payload: { email: user.email },
    headers,
  })
  expect((await linkFor(user.email)).origin).toBe(PUBLIC_URL)
})
