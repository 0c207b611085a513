import { afterAll, expect, test } from 'vitest'
import {
  login,
  resetPassword,
  setUserDetails,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { beginTotp, confirmTotp, prove } from '#contract/second-factor.ts'
import { sha256 } from '#server/accounts/sessions.ts'
import { readConfig } from '#server/config.ts'
import { injectOptionsFor, PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestApp, TestUser } from '#tests/support/app.ts'
import { authenticatorApp } from '#tests/support/authenticator.ts'
import { backdateRoles } from '#tests/support/backdate.ts'
import { freedSince } from '#tests/support/freed-since.ts'
import { stopClock } from '#tests/support/stopped-clock.ts'
import {
  enterPassword,
  registerWithApp,
  secondStep,
  setUpApp,
  SITE,
} from '#tests/support/two-step.ts'
import { BEFORE_SECOND_FACTOR, NEEDS_PROOF } from './access-table.ts'

const app = await testApp({ env: { PUBLIC_URL: SITE, ADJUSTMENT_DAILY_LIMIT: '100' } })
// A code of the app is right for a minute.
afterAll(stopClock())

const countOf = async (table: string, { user }: TestUser, where = 'true'): Promise<number> => {
  const { rowCount } = await app.database.pool.query(
    `select 1 from ${table} where user_id = $1 and ${where}`,
    [user._id],
  )
  return rowCount ?? 0
}
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

type RefusedAnswer = { error?: string | { code: string }; code?: string; methods?: string[] }

/** The answer to a call about the user, with ids that do not exist. */
async function answerTo(at: TestApp, call: Endpoint, { user, token }: TestUser) {
  const names = [...call.path.matchAll(/:(\w+)/g)].map(match => match[1]!)
  const params = Object.fromEntries(
    names.map(name => [name, name === 'userId' ? user._id : '999999']),
  )
  const body = call.method === 'GET' || call.method === 'DELETE' ? undefined : {}
  const request = injectOptionsFor(call, { params, body })
  const answer = await at.send({ ...request, headers: { token } })
  expect(answer.statusCode, nameOf(call)).toBeLessThan(500)
  const isJson = String(answer.headers['content-type']).includes('json')
  const { error, code, methods }: RefusedAnswer = isJson ? answer.json() : {}
  // Below /v2 the code is in capitals.
  const told = typeof error === 'object' ? error.code.toLowerCase() : code
  return { status: answer.statusCode, code: told, methods }
}

test('59 with a second factor the password alone opens nothing, and before it is right nothing tells who has one', async () => {
  const [ana, ben] = [await registerWithApp(app), await app.register()]
  const before = await countOf('login_session', ana)
  const answer = await app.send({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: ana.user.email, password: PASSWORD },
  })
  expect(answer.statusCode).toBe(202)
  expect(answer.cookies).toEqual([])
  expect(answer.body).not.toContain('token')
  expect(await countOf('login_session', ana)).toBe(before)
  const { challenge } = answer.json<{ challenge: string }>()
  expect((await app.call(verifySession, {}, challenge)).status).toBe(401)

  const wrong = async (email: string) => {
    const { status, body } = await app.call(login, { body: { email, password: 'not the one' } })
    return { status, body }
  }
  const unknown = await wrong('unknown@example.com')
  expect(unknown.status).toBe(401)
  for (const { user } of [ana, ben]) expect(await wrong(user.email)).toEqual(unknown)
})

test('60 a code works once, for one of several sign-ins and for one of many requests at once', async () => {
  const ana = await registerWithApp(app)
  const before = await countOf('login_session', ana)
  const asked = await Promise.all([1, 2, 3].map(() => enterPassword(app, ana)))
  const code = ana.phone.code(1)
  const answers = await Promise.all(
    asked.flatMap(({ challenge }) => [
      secondStep(app, { challenge, code }),
      secondStep(app, { challenge, code }),
    ]),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401])
  expect(await countOf('login_session', ana)).toBe(before + 1)
  const { challenge } = await enterPassword(app, ana)
  const again = await secondStep(app, { challenge, code })
  expect([again.status, again.body.message]).toEqual([
    401,
    'This code is wrong or was used already. Wait for the next one in your authenticator app.',
  ])
})

test('61 after five tries, or ten wrong codes of an account, codes have to wait; the owner is warned and not locked out', async () => {
  const ana = await registerWithApp(app)
  const first = await enterPassword(app, ana)
  const completed = await app.send({
    method: 'POST',
    url: '/api/auth/login/second',
    payload: { challenge: first.challenge, code: ana.phone.code(1) },
  })
  expect(completed.statusCode).toBe(200)
  const known = completed.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

  const guess = async (times: number): Promise<number[]> => {
    const { challenge } = await enterPassword(app, ana)
    const code = ana.phone.wrongCode()
    const statuses = []
    for (let n = 0; n < times; n++)
      statuses.push((await secondStep(app, { challenge, code })).status)
    return statuses
  }
  const begun = performance.now()
  const ofOne = await guess(7)
  // A sixth try comes back after a minute, as on a machine that stood still.
  const freed = freedSince(begun, 60)
  expect(ofOne.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  const wrong = ofOne.filter(status => status === 401).length
  expect(wrong).toBeLessThanOrEqual(5 + freed)
  expect(ofOne.filter(status => status === 429)).toHaveLength(7 - wrong)
  // Each new challenge has tries of its own, the account's ten are for all of them.
  const left = [401, 401, 401, 401, 401].slice(wrong - 5)
  expect(await guess(4)).toEqual([...left, 429, 429, 429].slice(0, 4))
  expect(await guess(4)).toEqual([...left.slice(4), 429, 429, 429, 429].slice(0, 4))
  expect(await countOf('mail', ana, `kind = 'second-factor-guessed'`)).toBe(1)

  await app.database.pool.query('update second_factor set last_step = 0 where user_id = $1', [
    ana.user._id,
  ])
  const own = await enterPassword(app, ana)
  const fromKnown = await app.send({
    method: 'POST',
    url: '/api/auth/login/second',
    headers: { cookie: known },
    payload: { challenge: own.challenge, code: ana.phone.code(1) },
  })
  expect(fromKnown.statusCode).toBe(200)
  const { challenge } = await enterPassword(app, ana)
  expect((await secondStep(app, { challenge, recovery: ana.recoveryCodes[0]! })).status).toBe(200)
})

test('61 codes guessed on signed-in devices count for the account too: the owner is warned, and can still confirm', async () => {
  const ana = await registerWithApp(app)
  const { challenge } = await enterPassword(app, ana)
  const signIn = await app.send({
    method: 'POST',
    url: '/api/auth/login/second',
    payload: { challenge, code: ana.phone.code(1) },
  })
  const known = signIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  // Two sessions whose tokens were stolen, without the browsers that they belong to.
  const stolen = [ana.token, signIn.json<{ token: string }>().token]
  const guess = async (token: string, times: number): Promise<number[]> => {
    const statuses = []
    for (let n = 0; n < times; n++)
      statuses.push(
        (await app.call(prove, { body: { code: ana.phone.wrongCode() } }, token)).status,
      )
    return statuses
  }
  expect(await guess(stolen[0]!, 6)).toEqual(Array(6).fill(422))
  expect(await guess(stolen[1]!, 6)).toEqual([422, 422, 422, 422, 429, 429])
  const second = await enterPassword(app, ana)
  const atSignIn = { challenge: second.challenge, code: ana.phone.wrongCode() }
  expect((await secondStep(app, atSignIn)).status).toBe(429)
  expect(await countOf('mail', ana, `kind = 'second-factor-guessed'`)).toBe(1)

  await app.database.pool.query('update second_factor set last_step = 0 where user_id = $1', [
    ana.user._id,
  ])
  const own = await app.send({
    method: 'POST',
    url: prove.path,
    headers: { token: stolen[1], cookie: known },
    payload: { code: ana.phone.code(1) },
  })
  expect(own.statusCode).toBe(200)
  const recovery = { recovery: ana.recoveryCodes[0]! }
  expect((await app.call(prove, { body: recovery }, stolen[0])).status).toBe(200)
})

test('62 an app’s secret is stored encrypted, and of 125-bit recovery codes only the hashes', async () => {
  const ana = await app.register()
  const params = { userId: ana.user._id }
  const { body } = await app.call(beginTotp, { params }, ana.token)
  const pending = await app.database.pool.query<{ sealed: Buffer }>(
    'select sealed_secret as sealed from login_challenge where user_id = $1',
    [ana.user._id],
  )
  const phone = authenticatorApp(body.secret)
  const confirmed = await app.call(confirmTotp, { params, body: { code: phone.code() } }, ana.token)
  const { rows } = await app.database.pool.query<{ line: string; sealed: Buffer }>(
    'select f::text as line, sealed_secret as sealed from second_factor f where user_id = $1',
    [ana.user._id],
  )
  for (const { sealed } of [...pending.rows, ...rows])
    expect(sealed.includes(phone.secret)).toBe(false)
  expect(rows[0]!.line).not.toContain(body.secret)
  const codes = await app.database.pool.query<{ hash: Buffer; line: string }>(
    'select code_hash as hash, c::text as line from recovery_code c where user_id = $1',
    [ana.user._id],
  )
  const shown = confirmed.body.recoveryCodes!.map(code => code.replaceAll('-', ''))
  for (const code of shown) expect(code).toMatch(/^[A-Z2-7]{25}$/)
  expect(codes.rows.map(({ hash }) => hash.toString('hex')).toSorted()).toEqual(
    shown.map(code => sha256(code).toString('hex')).toSorted(),
  )
  for (const { line } of codes.rows) for (const code of shown) expect(line).not.toContain(code)
})

test('63 a reset link sets a new password and does not skip the second factor', async () => {
  const ana = await registerWithApp(app)
  const open = await enterPassword(app, ana)
  const token = 'a token that was mailed'
  await app.database.pool.query(
    `insert into password_reset (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
    [sha256(token), ana.user._id],
  )
  const password = 'another long passphrase'
  expect((await app.call(resetPassword, { body: { token, password } })).status).toBe(200)
  const code = ana.phone.code(1)
  // A sign-in that began with the old password cannot be finished.
  expect((await secondStep(app, { challenge: open.challenge, code })).status).toBe(401)
  const { challenge, methods } = await enterPassword(app, ana, password)
  expect(methods).toEqual(['totp', 'recovery'])
  expect((await secondStep(app, { challenge, code: ana.phone.wrongCode() })).status).toBe(401)
  expect((await secondStep(app, { challenge, code })).status).toBe(200)
})

test('63 reset links bring their finder no further tries of the second factor', async () => {
  const ana = await registerWithApp(app)
  const statuses: number[] = []
  for (let n = 0; n < 3; n++) {
    const token = `a link that was mailed ${n}`
    await app.database.pool.query(
      `insert into password_reset (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
      [sha256(token), ana.user._id],
    )
    const password = `a password of the finder ${n}`
    const reset = await app.send({
      method: 'POST',
      url: '/api/auth/reset-password',
      payload: { token, password },
    })
    const cookie = reset.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    for (let challenges = 0; challenges < 2; challenges++) {
      const { challenge } = await enterPassword(app, ana, password)
      for (let tries = 0; tries < 5; tries++) {
        const answer = await app.send({
          method: 'POST',
          url: '/api/auth/login/second',
          headers: { cookie },
          payload: { challenge, code: ana.phone.wrongCode() },
        })
        statuses.push(answer.statusCode)
      }
    }
  }
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)])
})

test('64 calls that move money, give rights or change factors need a proof of half an hour, and none is made as another user', async () => {
  const strict = await testApp({ env: { REQUIRE_PROOF: 'yes' } })
  const calls = strict.router.calls.filter(call => call.proof)
  expect(calls.map(nameOf).toSorted()).toEqual(NEEDS_PROOF.toSorted())
  const inPerson = (call: Endpoint) => call.access === 'admin' || call.refusesImpersonation
  expect(calls.filter(call => !inPerson(call)).map(nameOf)).toEqual([])

  const admin = await strict.admin()
  await strict.database.pool.query(
    `update login_session set proven_at = now() - interval '30 minutes'`,
  )
  for (const call of calls)
    expect(await answerTo(strict, call, admin), nameOf(call)).toEqual({
      status: 403,
      code: 'proof_required',
      methods: ['password'],
    })
  const fresh = await strict.admin()
  for (const call of calls)
    expect((await answerTo(strict, call, fresh)).code, nameOf(call)).not.toBe('proof_required')
})

test('65 a user who must have a second factor can set one up, and nothing else before', async () => {
  const strict = await testApp({ env: { REQUIRE_TWO_FACTOR: 'admins' } })
  const requiredOf = async (at: TestApp, { token }: TestUser) =>
    (await at.call(verifySession, {}, token)).body.secondFactorRequired
  const admin = await strict.admin()
  expect(await requiredOf(strict, admin)).toBe(true)
  const open: string[] = []
  // Signing out comes last.
  const isLast = ({ path }: Endpoint) => Number(path.endsWith('/logout'))
  const calls = strict.router.calls
    .filter(({ access }) => access !== 'anyone')
    .toSorted((a, b) => isLast(a) - isLast(b))
  for (const call of calls) {
    const { code } = await answerTo(strict, call, admin)
    if (code !== 'second_factor_required') open.push(nameOf(call))
  }
  expect(open.toSorted()).toEqual(BEFORE_SECOND_FACTOR.toSorted())

  // A customer who becomes an administrator needs one from the next call on.
  const customer = await strict.register()
  expect(await requiredOf(strict, customer)).toBe(false)
  await strict.database.pool.query(`update app_user set role = 'admin' where id = $1`, [
    customer.user._id,
  ])
  expect(await requiredOf(strict, customer)).toBe(true)
  await setUpApp(strict, customer)
  expect(await requiredOf(strict, customer)).toBe(false)
  const users = calls.find(({ path }) => path === '/api/auth/users')!
  expect((await answerTo(strict, users, customer)).status).toBe(200)

  const all = await testApp({ env: { REQUIRE_TWO_FACTOR: 'all' } })
  expect(await requiredOf(all, await all.register())).toBe(true)
})

test('66 no administrator changes their own balance, and twenty adjustments at once do not pass the limit of a day', async () => {
  const first = await app.admin()
  const newAdmin = async (): Promise<TestUser> => {
    const user = await app.register()
    const params = { userId: user.user._id }
    await app.call(setUserRole, { params, body: { user_role: 'admin' } }, first.token)
    await backdateRoles(app.database)
    return user
  }
  const set = (by: TestUser, of: TestUser, balance: number) =>
    app.call(setUserDetails, { params: { userId: of.user._id }, body: { balance } }, by.token)
  const balanceOf = async ({ token }: TestUser) =>
    (await app.call(verifySession, {}, token)).body.user.balance
  const [ana, ben] = [await newAdmin(), await newAdmin()]
  const refused = await set(ana, ana, 10)
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'You cannot change your own balance. Another administrator can.',
  ])
  expect(await balanceOf(ana)).toBe(0)

  const customers = await Promise.all(Array.from({ length: 20 }, () => app.register()))
  const answers = await Promise.all(customers.map(each => set(ben, each, 30)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(17)
  const balances = await Promise.all(customers.map(balanceOf))
  expect(balances.reduce((sum, each) => sum + each, 0)).toBe(90)
})

test('with real money the defaults are a factor, a proof and a second administrator', () => {
  const live = {
    CARRIER: 'easypost',
    EASYPOST_API_KEY: 'EZAK-2f1c0b9f7b5f4d7e',
    PAYMENTS: 'btcpay',
    BTCPAY_URL: 'https://pay.example.com',
    BTCPAY_API_KEY: '8f4e1c0d2b3a49586776',
    BTCPAY_STORE_ID: 'store',
    BTCPAY_WEBHOOK_SECRET: 'Zb3kq8vT2mXw9pLr',
    PUBLIC_URL: 'https://post.example.com',
    SMTP_URL: 'smtps://u:kd83Hs0aLq@mail.example.com',
    ADMIN_EMAIL: 'ops@example.com',
  }
  const pick = (env: Record<string, string>) => {
    const { requireTwoFactor, requireProof, adjustmentDailyLimit } = readConfig(env)
    return [requireTwoFactor, requireProof, adjustmentDailyLimit]
  }
  expect(pick({})).toEqual(['no', false, null])
  expect(pick(live)).toEqual(['admins', true, 1_000_00])
  const chosen = { REQUIRE_TWO_FACTOR: 'all', REQUIRE_PROOF: 'no', ADJUSTMENT_DAILY_LIMIT: '250.5' }
  expect(pick({ ...live, ...chosen })).toEqual(['all', true, 250_50])
  expect(pick({ ...live, ADJUSTMENT_DAILY_LIMIT: 'none' })).toEqual(['admins', true, null])
  for (const wrong of ['much', '-1', '1.234'])
    expect(() => pick({ ADJUSTMENT_DAILY_LIMIT: wrong })).toThrow(
      'must be an amount in dollars, such as 1000, or none',
    )
})
