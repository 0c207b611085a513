import { afterAll, expect, test } from 'vitest'
import { listDevices, setUserActivation, verifySession } from '#contract/accounts.ts'
import { loginSecond, passkeyLogin, passkeyLoginOptions } from '#contract/second-factor.ts'
import { testApp } from '#tests/support/app.ts'
import { newPasskey } from '#tests/support/authenticator.ts'
import { freedSince } from '#tests/support/freed-since.ts'
import { stopClock } from '#tests/support/stopped-clock.ts'
import {
  enterPassword,
  forgetUsedCodes,
  registerWithApp,
  secondStep,
  setUpApp,
  setUpPasskey,
  SITE,
} from '#tests/support/two-step.ts'

const app = await testApp({ env: { PUBLIC_URL: SITE } })
// A code of the app is right for half a minute.
afterAll(stopClock())
const audited = async (userId: string) => {
  const { rows } = await app.database.pool.query<{ action: string }>(
    'select action from audit_entry where subject_id = $1 order by id',
    [userId],
  )
  return rows.map(({ action }) => action)
}

test('a customer with an authenticator app signs in with password and code', async () => {
  const ana = await registerWithApp(app)
  const asked = await enterPassword(app, ana)
  expect(Object.keys(asked).toSorted()).toEqual(['challenge', 'methods'])
  expect(asked.methods).toEqual(['totp', 'recovery'])
  const { status, body } = await secondStep(app, {
    challenge: asked.challenge,
    code: ana.phone.code(1),
  })
  expect([status, body.user.email]).toEqual([200, ana.user.email])
  const verified = await app.call(verifySession, {}, body.token)
  expect([verified.status, verified.body.secondFactorRequired]).toEqual([200, false])
  expect((await audited(ana.user._id)).slice(-2)).toEqual(['second-factor-asked', 'login'])
})

test('a challenge works once', async () => {
  const ana = await registerWithApp(app)
  const { challenge } = await enterPassword(app, ana)
  expect((await secondStep(app, { challenge, code: ana.phone.code(1) })).status).toBe(200)
  await forgetUsedCodes(app, ana)
  const again = await secondStep(app, { challenge, code: ana.phone.code(1) })
  expect([again.status, again.body.message]).toEqual([
    401,
    'This sign-in has expired. Enter your email and password again.',
  ])
})

test('after five minutes, or with a new password, the sign-in begins again', async () => {
  const ana = await registerWithApp(app)
  const late = await enterPassword(app, ana)
  await app.database.pool.query(
    `update login_challenge set expires_at = now() - interval '1 second' where user_id = $1`,
    [ana.user._id],
  )
  expect(
    (await secondStep(app, { challenge: late.challenge, code: ana.phone.code(1) })).status,
  ).toBe(401)
  const outdated = await enterPassword(app, ana)
  await app.database.pool.query(
    `update app_user set password_hash = password_hash || ' ' where id = $1`,
    [ana.user._id],
  )
  const refused = await secondStep(app, { challenge: outdated.challenge, code: ana.phone.code(1) })
  expect(refused.status).toBe(401)
  await app.database.pool.query(
    `update app_user set password_hash = trim(password_hash) where id = $1`,
    [ana.user._id],
  )
  const { challenge } = await enterPassword(app, ana)
  expect((await secondStep(app, { challenge, code: ana.phone.code(1) })).status).toBe(200)
})

test('many guesses at once gain nothing', async () => {
  const ana = await registerWithApp(app)
  const { challenge } = await enterPassword(app, ana)
  const begun = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => secondStep(app, { challenge, code: ana.phone.wrongCode() })),
  )
  // One of five comes back in a minute, as on a machine that stood still.
  const freed = freedSince(begun, 60)
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5 + freed)
})

test('a recovery code signs in once, in any spelling', async () => {
  const ana = await registerWithApp(app)
  expect(ana.recoveryCodes).toHaveLength(10)
  expect(new Set(ana.recoveryCodes).size).toBe(10)
  for (const code of ana.recoveryCodes) expect(code).toMatch(/^[A-Z2-7]{5}(-[A-Z2-7]{5}){4}$/)
  const recovery = ` ${ana.recoveryCodes[3]!.toLowerCase().replaceAll('-', ' ')} `
  const asked = await Promise.all([1, 2].map(() => enterPassword(app, ana)))
  const answers = await Promise.all(
    asked.map(({ challenge }) => secondStep(app, { challenge, recovery })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  expect(await audited(ana.user._id)).toContain('recovery-code-used')
})

test('a blocked customer is told so only with the right factor', async () => {
  const ana = await registerWithApp(app)
  const { challenge } = await enterPassword(app, ana)
  const admin = await app.admin()
  await app.call(
    setUserActivation,
    { params: { userId: ana.user._id }, body: { activation: 'block' } },
    admin.token,
  )
  expect((await secondStep(app, { challenge, code: ana.phone.wrongCode() })).status).toBe(401)
  const right = await secondStep(app, { challenge, code: ana.phone.code(1) })
  expect([right.status, right.body.token]).toEqual([403, undefined])
})

test('exactly one factor is sent', async () => {
  const ana = await registerWithApp(app)
  const { challenge } = await enterPassword(app, ana)
  const code = ana.phone.code(1)
  for (const given of [{}, { code, recovery: ana.recoveryCodes[0]! }])
    expect((await secondStep(app, { challenge, ...given })).status).toBe(422)
  expect((await secondStep(app, { challenge, code })).status).toBe(200)
})

test('a passkey is the second step, with what the browser needs for it', async () => {
  const ben = await app.register()
  const { passkey, recoveryCodes } = await setUpPasskey(app, ben)
  expect(recoveryCodes).toHaveLength(10)
  const asked = await enterPassword(app, ben)
  expect(asked.methods).toEqual(['passkey', 'recovery'])
  expect(asked.passkeyOptions).toMatchObject({
    rpId: 'localhost',
    allowCredentials: [{ id: passkey.id, type: 'public-key' }],
  })
  const answer = passkey.sign(asked.passkeyOptions!)
  const body = { challenge: asked.challenge, passkey: answer }
  expect((await secondStep(app, body)).status).toBe(200)
  // What was overheard is worth nothing for the next challenge.
  const next = await enterPassword(app, ben)
  expect((await secondStep(app, { ...body, challenge: next.challenge })).status).toBe(401)
})

test('passkeys of other pages, other customers and copies that lag behind are refused', async () => {
  const [ben, eve] = [await app.register(), await app.register()]
  const { passkey } = await setUpPasskey(app, ben)
  const { passkey: other } = await setUpPasskey(app, eve)
  const fake = [
    passkey.with({ origin: 'http://localhost:4000' }),
    passkey.with({ origin: 'https://evil.example' }),
    passkey.with({ counter: 0 }),
    newPasskey({ origin: SITE }),
    other,
  ]
  // Its counter moves on, so that a copy can be told.
  const asked = await enterPassword(app, ben)
  await secondStep(app, {
    challenge: asked.challenge,
    passkey: passkey.sign(asked.passkeyOptions!),
  })
  for (const one of fake) {
    const { challenge, passkeyOptions } = await enterPassword(app, ben)
    const answer = await secondStep(app, { challenge, passkey: one.sign(passkeyOptions!) })
    expect(answer.status).toBe(401)
  }
})

test('a synchronized passkey, whose counter stays 0, signs in again and again', async () => {
  const ben = await app.register()
  const { passkey } = await setUpPasskey(app, ben, newPasskey({ origin: SITE, synchronized: true }))
  for (let n = 0; n < 2; n++) {
    const { challenge, passkeyOptions } = await enterPassword(app, ben)
    const answer = await secondStep(app, { challenge, passkey: passkey.sign(passkeyOptions!) })
    expect(answer.status).toBe(200)
  }
})

test('a passkey alone signs in, once for each challenge', async () => {
  const ben = await app.register()
  const { passkey } = await setUpPasskey(app, ben)
  const { body: begun } = await app.call(passkeyLoginOptions, {})
  expect(begun.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  const body = { challenge: begun.challenge, response: passkey.sign(begun.options) }
  const answers = await Promise.all([1, 2, 3].map(() => app.call(passkeyLogin, { body })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  const token = answers.find(({ status }) => status === 200)!.body.token
  const params = { userId: ben.user._id }
  expect((await app.call(listDevices, { params }, token)).status).toBe(200)
})

test('a passkey alone must have asked for a PIN, a finger or a face', async () => {
  const ben = await app.register()
  const { passkey } = await setUpPasskey(app, ben)
  const { body: begun } = await app.call(passkeyLoginOptions, {})
  const unverified = passkey.with({ verifiesUser: false })
  const body = { challenge: begun.challenge, response: unverified.sign(begun.options) }
  expect((await app.call(passkeyLogin, { body })).status).toBe(401)
})

test('challenges that were never given out, or are too old, begin no sign-in by passkey', async () => {
  const ben = await app.register()
  const { passkey } = await setUpPasskey(app, ben)
  const { body: begun } = await app.call(passkeyLoginOptions, {})
  const [ends, random, signature] = begun.challenge.split('.')
  const forged = [
    `${Number(ends) + 1}.${random}.${signature}`,
    `${ends}.${random}.`,
    `${Date.now() - 1}.${random}.${signature}`,
    '',
    'x'.repeat(200),
  ]
  for (const challenge of forged) {
    const body = { challenge, response: passkey.sign(begun.options) }
    expect((await app.call(passkeyLogin, { body })).status).toBe(401)
  }
})

test('with an app and a passkey either of them signs in', async () => {
  const ana = await registerWithApp(app)
  const { passkey, recoveryCodes } = await setUpPasskey(app, ana)
  expect(recoveryCodes).toBeNull()
  const asked = await enterPassword(app, ana)
  expect(asked.methods).toEqual(['passkey', 'totp', 'recovery'])
  const { challenge } = asked
  expect((await secondStep(app, { challenge, code: ana.phone.code(1) })).status).toBe(200)
  const again = await enterPassword(app, ana)
  const answer = await secondStep(app, {
    challenge: again.challenge,
    passkey: passkey.sign(again.passkeyOptions!),
  })
  expect(answer.status).toBe(200)
})

test('a stranger cannot finish the sign-in of another customer', async () => {
  const [ana, eve] = [await registerWithApp(app), await setUpApp(app, await app.register())]
  const { challenge } = await enterPassword(app, ana)
  expect(
    (await app.call(loginSecond, { body: { challenge, code: eve.phone.code(1) } })).status,
  ).toBe(401)
})
