import { afterAll, expect, test } from 'vitest'
import { deleteUser, login, loginAs, verifySession } from '#contract/accounts.ts'
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  FACTORS_MAX,
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
} from '#contract/second-factor.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { authenticatorApp, newPasskey } from '#tests/support/authenticator.ts'
import { runCommand } from '#tests/support/run-command.ts'
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
const paramsOf = ({ user }: TestUser) => ({ userId: user._id })
const factorsOf = async (of: TestUser, token = of.token) =>
  (await app.call(listFactors, { params: paramsOf(of) }, token)).body
const audited = async ({ user }: TestUser) => {
  const { rows } = await app.database.pool.query<{ action: string; detail: object }>(
    'select action, detail from audit_entry where subject_id = $1 order by id',
    [user._id],
  )
  return rows
}
/** Notices that wait for the user, or were sent. */
const notices = async ({ user }: TestUser): Promise<number> => {
  const { rowCount } = await app.database.pool.query(
    `select 1 from mail where user_id = $1 and kind = 'second-factor'`,
    [user._id],
  )
  return rowCount ?? 0
}

test('a customer without a factor has none, and none is demanded', async () => {
  expect(await factorsOf(await app.register())).toEqual({
    factors: [],
    recoveryCodesLeft: 0,
    required: false,
    passkeysPossible: true,
  })
})

test('an authenticator app counts once a code of it is confirmed; the codes are shown once', async () => {
  const ana = await app.register()
  const params = paramsOf(ana)
  const begun = await app.call(beginTotp, { params }, ana.token)
  expect(
    (await app.call(login, { body: { email: ana.user.email, password: PASSWORD } })).status,
  ).toBe(200)
  const phone = authenticatorApp(begun.body.secret)
  const confirm = (code: string) => app.call(confirmTotp, { params, body: { code } }, ana.token)
  const wrong = await confirm(phone.wrongCode())
  expect([wrong.status, Object.keys(wrong.body.errors!)]).toEqual([422, ['code']])
  const { status, body } = await confirm(phone.code())
  expect([status, body.recoveryCodes!.length]).toEqual([200, 10])
  expect(body.factor).toMatchObject({ kind: 'totp', name: 'Authenticator app', backedUp: false })
  expect(await factorsOf(ana)).toMatchObject({ factors: [body.factor], recoveryCodesLeft: 10 })
  expect((await audited(ana)).at(-1)).toMatchObject({
    action: 'factor-added',
    detail: { kind: 'totp' },
  })
  expect(await notices(ana)).toBe(1)
})

test('a double click shows one secret, and a second confirmation changes nothing', async () => {
  const ana = await app.register()
  const params = paramsOf(ana)
  const begun = await Promise.all([1, 2, 3].map(() => app.call(beginTotp, { params }, ana.token)))
  expect(new Set(begun.map(({ body }) => body.secret)).size).toBe(1)
  const code = authenticatorApp(begun[0]!.body.secret).code()
  const answers = await Promise.all(
    [1, 2, 3].map(() => app.call(confirmTotp, { params, body: { code } }, ana.token)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect((await factorsOf(ana)).factors).toHaveLength(1)
})

test('a secret that an intruder has begun to set up is not the one that the owner gets', async () => {
  const ana = await app.register()
  const params = paramsOf(ana)
  const intruder = await app.signIn(ana.user.email, PASSWORD)
  const seen = await app.call(beginTotp, { params }, intruder)
  const own = await app.call(beginTotp, { params }, ana.token)
  expect(own.body.secret).not.toBe(seen.body.secret)
  const body = { code: authenticatorApp(own.body.secret).code() }
  expect((await app.call(confirmTotp, { params, body }, intruder)).status).toBe(409)
  expect((await app.call(confirmTotp, { params, body }, ana.token)).status).toBe(200)
})

test('the first factor ends the sessions that began without it', async () => {
  const ana = await app.register()
  const other = await app.signIn(ana.user.email, PASSWORD)
  await setUpApp(app, ana)
  expect((await app.call(verifySession, {}, other)).status).toBe(401)
  expect((await app.call(verifySession, {}, ana.token)).status).toBe(200)
})

test('a sealed secret that is moved to another customer opens nothing', async () => {
  const [ana, eve] = [await registerWithApp(app), await registerWithApp(app)]
  await app.database.pool.query(
    `update second_factor set sealed_secret = (select sealed_secret from second_factor where user_id = $1) where user_id = $2`,
    [eve.user._id, ana.user._id],
  )
  const { challenge } = await enterPassword(app, ana)
  const answer = await secondStep(app, { challenge, code: eve.phone.code(1) })
  expect([answer.status, answer.body.message]).toEqual([
    503,
    expect.stringContaining('the secret key of this installation has changed'),
  ])
})

test('a passkey is registered with a name, and belongs to one customer only', async () => {
  const [ana, eve] = [await app.register(), await app.register()]
  const passkey = newPasskey({ origin: SITE, synchronized: true })
  await setUpPasskey(app, ana, passkey)
  const [factor] = (await factorsOf(ana)).factors
  expect(factor).toMatchObject({ kind: 'passkey', name: 'My laptop', backedUp: true })
  const params = paramsOf(eve)
  const { body } = await app.call(beginPasskey, { params }, eve.token)
  const stolen = await app.call(
    addPasskey,
    { params, body: { name: 'Mine', response: passkey.register(body.options) } },
    eve.token,
  )
  expect([stolen.status, stolen.body.message]).toEqual([409, 'This passkey is registered already.'])
  expect((await factorsOf(eve)).factors).toEqual([])
})

test('a registration works once, for the one who began it, on our own pages', async () => {
  const [ana, eve] = [await app.register(), await app.register()]
  const begin = async (of: TestUser) =>
    (await app.call(beginPasskey, { params: paramsOf(of) }, of.token)).body.options
  const add = (of: TestUser, response: ReturnType<ReturnType<typeof newPasskey>['register']>) =>
    app.call(addPasskey, { params: paramsOf(of), body: { name: 'Key', response } }, of.token)
  const options = await begin(ana)
  const foreign = newPasskey({ origin: 'https://evil.example' }).register(options)
  expect((await add(ana, foreign)).status).toBe(422)
  const response = newPasskey({ origin: SITE }).register(options)
  expect((await add(eve, response)).status).toBe(409)
  const answers = await Promise.all([add(ana, response), add(ana, response)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const second = newPasskey({ origin: SITE }).register(options)
  expect((await add(ana, second)).status).toBe(409)
  expect((await begin(ana)).excludeCredentials).toHaveLength(1)
})

test('nonsense instead of a passkey is refused with a sentence', async () => {
  const ana = await app.register()
  const params = paramsOf(ana)
  const { body } = await app.call(beginPasskey, { params }, ana.token)
  const good = newPasskey({ origin: SITE }).register(body.options)
  const bad = [
    { ...good.response, clientDataJSON: 'x' },
    { ...good.response, attestationObject: 'AAAA' },
    { ...good.response, attestationObject: '' },
  ]
  for (const response of bad) {
    const added = await app.call(
      addPasskey,
      { params, body: { name: 'Key', response: { ...good, response } } },
      ana.token,
    )
    expect([409, 422]).toContain(added.status)
  }
})

test('names are checked, changed and mailed about', async () => {
  const ana = await registerWithApp(app)
  const [factor] = (await factorsOf(ana)).factors
  const rename = (name: string) =>
    app.call(
      renameFactor,
      { params: { ...paramsOf(ana), factorId: factor!._id }, body: { name } },
      ana.token,
    )
  for (const name of ['', '  ', 'x'.repeat(61), 'a\u202eb'])
    expect((await rename(name)).body.errors).toHaveProperty('name')
  const before = await notices(ana)
  expect((await rename(' Old phone ')).body.factor.name).toBe('Old phone')
  expect(await notices(ana)).toBe(before + 1)
  expect((await audited(ana)).at(-1)).toMatchObject({
    action: 'factor-renamed',
    detail: { kind: 'totp' },
  })
})

test('factors of other customers cannot be seen, renamed or removed', async () => {
  const [ana, eve] = [await registerWithApp(app), await registerWithApp(app)]
  const [factor] = (await factorsOf(ana)).factors
  const params = { ...paramsOf(eve), factorId: factor!._id }
  expect((await app.call(removeFactor, { params }, eve.token)).status).toBe(404)
  expect((await app.call(renameFactor, { params, body: { name: 'x' } }, eve.token)).status).toBe(
    404,
  )
  expect((await app.call(listFactors, { params: paramsOf(ana) }, eve.token)).status).toBe(403)
  expect((await factorsOf(ana)).factors).toHaveLength(1)
})

test('removing a factor ends the other sessions; with the last one the recovery codes go', async () => {
  const ana = await registerWithApp(app)
  const { passkey } = await setUpPasskey(app, ana)
  const { challenge, passkeyOptions } = await enterPassword(app, ana)
  const other = await secondStep(app, { challenge, passkey: passkey.sign(passkeyOptions!) })
  const [phone, laptop] = (await factorsOf(ana)).factors
  const remove = (factorId: string) =>
    app.call(removeFactor, { params: { ...paramsOf(ana), factorId } }, ana.token)
  const clicks = await Promise.all([remove(phone!._id), remove(phone!._id)])
  expect(clicks.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect((await app.call(verifySession, {}, other.body.token)).status).toBe(401)
  expect(await factorsOf(ana)).toMatchObject({ factors: [laptop], recoveryCodesLeft: 10 })
  await remove(laptop!._id)
  expect(await factorsOf(ana)).toMatchObject({ factors: [], recoveryCodesLeft: 0 })
  expect(await app.signIn(ana.user.email, PASSWORD)).toMatch(/^sl_/)
})

test('new recovery codes replace the old ones', async () => {
  const ana = await registerWithApp(app)
  const params = paramsOf(ana)
  const { body } = await app.call(renewRecoveryCodes, { params }, ana.token)
  const signIn = async (recovery: string) => {
    const { challenge } = await enterPassword(app, ana)
    return (await secondStep(app, { challenge, recovery })).status
  }
  expect(await signIn(ana.recoveryCodes[0]!)).toBe(401)
  expect(await signIn(body.recoveryCodes[0]!)).toBe(200)
  expect(await factorsOf(ana)).toMatchObject({ recoveryCodesLeft: 9 })
  const ben = await app.register()
  const refused = await app.call(renewRecoveryCodes, { params: paramsOf(ben) }, ben.token)
  expect(refused.status).toBe(409)
})

test('setups that are begun and never finished do not pile up', async () => {
  const ana = await app.register()
  const begin = () => app.call(beginPasskey, { params: paramsOf(ana) }, ana.token)
  for (let n = 0; n < 25; n++) await begin()
  const { rowCount } = await app.database.pool.query(
    'select 1 from login_challenge where user_id = $1',
    [ana.user._id],
  )
  expect(rowCount).toBe(20)
  await setUpPasskey(app, ana)
})

test(`a user keeps at most ${FACTORS_MAX} factors`, async () => {
  const ana = await app.register()
  for (let n = 0; n < FACTORS_MAX; n++) await setUpPasskey(app, ana)
  const { status } = await app.call(beginPasskey, { params: paramsOf(ana) }, ana.token)
  expect(status).toBe(409)
})

test('an administrator signed in as a customer sees and changes none of the factors', async () => {
  const [ana, admin] = [await registerWithApp(app), await app.admin()]
  const params = paramsOf(ana)
  const acting = (await app.call(loginAs, { params, body: {} }, admin.token)).body.token
  const calls = [
    app.call(listFactors, { params }, acting),
    app.call(beginTotp, { params }, acting),
    app.call(renewRecoveryCodes, { params }, acting),
  ]
  for (const { status } of await Promise.all(calls)) expect(status).toBe(403)
  expect((await app.call(listFactors, { params }, admin.token)).status).toBe(200)
  expect((await app.call(renewRecoveryCodes, { params }, admin.token)).status).toBe(403)
})

test('the factors of a deleted customer are erased', async () => {
  const [ana, admin] = [await registerWithApp(app), await app.admin()]
  await setUpPasskey(app, ana)
  await enterPassword(app, ana)
  await app.call(deleteUser, { params: paramsOf(ana) }, admin.token)
  for (const table of ['second_factor', 'recovery_code', 'login_challenge']) {
    const { rowCount } = await app.database.pool.query(
      `select 1 from ${table} where user_id = ${ana.user._id}`,
    )
    expect(rowCount, table).toBe(0)
  }
})

test('on the machine, npm run unlock takes the factors away, ends the sessions and tells the user', async () => {
  const ana = await registerWithApp(app)
  const env = { DATABASE_URL: app.database.url, DATA_DIR: app.ctx.config.dataDir }
  const unlock = (...emails: string[]) => runCommand('unlock', emails, env)
  expect(await unlock()).toMatchObject({
    code: 1,
    output: expect.stringContaining('npm run unlock -- ana@example.com'),
  })
  expect(await unlock('unknown@example.com')).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no user with the email unknown@example.com'),
  })
  const before = await notices(ana)
  expect(await unlock(ana.user.email.toUpperCase())).toMatchObject({
    code: 0,
    output: expect.stringContaining('The second factor and the recovery codes of'),
  })
  expect((await app.call(verifySession, {}, ana.token)).status).toBe(401)
  expect((await audited(ana)).at(-1)).toMatchObject({ action: 'factors-unlocked' })
  expect(await notices(ana)).toBe(before + 1)
  expect(await app.signIn(ana.user.email, PASSWORD)).toMatch(/^sl_/)
  await forgetUsedCodes(app, ana)
  expect((await unlock(ana.user.email)).output).toContain('has no second factor')
})
