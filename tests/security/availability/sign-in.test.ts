/** Strangers' wrong passwords slow strangers, never the owner of the account. */
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { login, resetPassword, saveAccount } from '#contract/accounts.ts'
import { emailKey } from '#server/accounts/rules.ts'
import { loginLimitKey } from '#server/accounts/sign-in-limits.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { freedSince } from '#tests/support/freed-since.ts'

const app = await testApp()

const HOUR = 3600
const DAY = 24 * HOUR
/** Wrong passwords that were compared before, from however many networks: ten, then one in 90 s. */
const comparedBefore = (seconds: number): number => 10 + seconds / 90

/** The answer's status, and the Cookie header of the browser after it. */
async function signIn(from: string, email: string, password: string, cookie = '') {
  const response = await app.send({
    method: 'POST',
    url: login.path,
    payload: { email, password },
    remoteAddress: from,
    headers: { cookie },
  })
  const device = response.cookies.find(({ name }) => name.startsWith('evenpost-device-'))
  return {
    status: response.statusCode,
    cookie: device ? `${device.name}=${device.value}` : cookie,
    wait: Number(response.headers['retry-after'] ?? 0),
  }
}

/** As if so much time had passed: the limits' times are the database's. */
const pass = (seconds: number) =>
  app.database.pool.query(
    `update throttle set resets_at = resets_at - $1 * interval '1 second' where key like 'login:%'`,
    [seconds],
  )

let networks = 0
const newNetwork = (): string => `198.51.${(++networks >> 8) & 255}.${networks & 255}`
const newNetworks = (count: number): string[] => Array.from({ length: count }, newNetwork)

/** Every network tries wrong passwords until it is refused. Returns how many were compared. */
async function guessFrom(attackers: string[], email: string): Promise<number> {
  let compared = 0
  for (const from of attackers)
    while ((await signIn(from, email, 'a wrong guess')).status === 401) compared++
  return compared
}

/** Ten wrong passwords are compared and the others refused, except those that time has freed since `begun`. */
function expectTenAtOnce(statuses: number[], begun: number): void {
  expect(statuses.slice(0, 10)).toEqual(Array<number>(10).fill(401))
  const later = statuses.slice(10)
  const freed = later.filter(status => status !== 429)
  expect(freed).toEqual(freed.map(() => 401))
  expect(freed.length).toBeLessThanOrEqual(freedSince(begun, 90))
}

/** A customer whose password is compared in no time, so that a test can guess a thousand times. */
async function cheaplyHashed(): Promise<TestUser> {
  const visitor = await app.register()
  const cheap = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await app.database.pool.query('update app_user set password_hash = $1 where id = $2', [
    cheap,
    visitor.user._id,
  ])
  return visitor
}

/** Uses up all attempts that strangers have at this account, for two minutes. Below, 60 networks do so. */
const useUp = (email: string) =>
  app.database.pool.query(
    `insert into throttle (key, hits, resets_at) values ($1, 130, now() + interval '196 minutes')`,
    [loginLimitKey(emailKey(email))],
  )

test('while ten networks guess without a pause, the owner signs in from a known browser and from a new one elsewhere', async () => {
  const { user } = await app.register()
  let { cookie } = await signIn(newNetwork(), user.email, PASSWORD)
  const attackers = newNetworks(10)
  const seen = { known: [] as number[], fresh: [] as number[], compared: 0, refused: 0 }
  for (let halfSeconds = 0; halfSeconds < 420; halfSeconds++) {
    await pass(0.5)
    const { status } = await signIn(attackers[halfSeconds % 10]!, user.email, 'a wrong guess')
    if (status === 401) seen.compared++
    else seen.refused++
    if (halfSeconds % 20 !== 19) continue
    const known = await signIn(newNetwork(), user.email, PASSWORD, cookie)
    cookie = known.cookie
    seen.known.push(known.status)
    seen.fresh.push((await signIn(newNetwork(), user.email, PASSWORD)).status)
  }
  expect(seen.known).toEqual(Array<number>(21).fill(200))
  expect(seen.fresh).toEqual(Array<number>(21).fill(200))
  expect(seen.refused).toBeGreaterThan(300)
  // Three of each network in advance, which delay the next ones.
  expect(seen.compared).toBeLessThanOrEqual(10 + 3 * 10)
})

test('guessing from ten networks for six hours is as slow as from one', async () => {
  const { user } = await cheaplyHashed()
  const attackers = newNetworks(10)
  const begun = performance.now()
  let compared = 0
  for (let hours = 0; hours < 6; hours += 0.5) {
    compared += await guessFrom(attackers, user.email)
    await pass(HOUR / 2)
  }
  expect(compared).toBeGreaterThan(comparedBefore(5.5 * HOUR) / 2)
  expect(compared).toBeLessThanOrEqual(comparedBefore(5.5 * HOUR) + 3 * 10 + freedSince(begun, 90))
})

test('however many networks guess, an account gives 130 guesses at once and then one in 90 seconds', async () => {
  const { user } = await cheaplyHashed()
  const begun = performance.now()
  const atOnce = await guessFrom(newNetworks(60), user.email)
  expect(atOnce).toBeGreaterThanOrEqual(130)
  expect(atOnce).toBeLessThanOrEqual(130 + freedSince(begun, 90))
  await pass(HOUR)
  const inAll = atOnce + (await guessFrom(newNetworks(60), user.email))
  expect(inAll).toBeGreaterThanOrEqual(130 + 40)
  expect(inAll).toBeLessThanOrEqual(130 + 40 + freedSince(begun, 90))
})

test('an owner who mistypes twice in a new place during the attack still comes in', async () => {
  const { user } = await cheaplyHashed()
  await guessFrom(newNetworks(10), user.email)
  const home = newNetwork()
  const statuses = []
  for (const password of ['mistyped', 'mistyped again', PASSWORD])
    statuses.push((await signIn(home, user.email, password)).status)
  expect(statuses).toEqual([401, 401, 200])
})

test('a network from which the owner has signed in is known without a cookie', async () => {
  const { user } = await app.register()
  const office = newNetwork()
  await signIn(office, user.email, PASSWORD)
  await useUp(user.email)
  expect((await signIn(newNetwork(), user.email, PASSWORD)).status).toBe(429)
  expect((await signIn(office, user.email, PASSWORD)).status).toBe(200)
  const { rows } = await app.database.pool.query<{ line: string }>(
    'select n::text as line from known_network n',
  )
  expect(rows.map(({ line }) => line).join()).not.toContain(office)
  for (let n = 0; n < 7; n++)
    await signIn(newNetwork(), (await app.register()).user.email, PASSWORD)
  for (const from of newNetworks(6)) await signIn(office && from, user.email, PASSWORD)
  const kept = await app.database.pool.query('select 1 from known_network where user_id = $1', [
    user._id,
  ])
  expect(kept.rowCount).toBeLessThanOrEqual(5)
})

test('a mailed link makes the browser known, when strangers have used up all attempts', async () => {
  const { user } = await app.register()
  await useUp(user.email)
  const token = 'a'.repeat(43)
  await app.database.pool.query(
    `insert into password_reset (token_hash, user_id, expires_at) values (sha256($1::bytea), $2, now() + interval '1 hour')`,
    [token, user._id],
  )
  const home = newNetwork()
  const reset = await app.send({
    method: 'POST',
    url: resetPassword.path,
    payload: { token, password: 'a brand new passphrase' },
    remoteAddress: home,
  })
  const device = reset.cookies.find(({ name }) => name.startsWith('evenpost-device-'))!
  await useUp(user.email)
  const cookie = `${device.name}=${device.value}`
  expect((await signIn(newNetwork(), user.email, 'a brand new passphrase', cookie)).status).toBe(
    200,
  )
})

test('a known browser has ten wrong passwords of its own', async () => {
  const { user } = await app.register()
  const { cookie } = await signIn(newNetwork(), user.email, PASSWORD)
  const begun = performance.now()
  const statuses = []
  for (let n = 0; n < 12; n++)
    statuses.push((await signIn(newNetwork(), user.email, 'mistyped', cookie)).status)
  expectTenAtOnce(statuses, begun)
  expect((await signIn(newNetwork(), user.email, PASSWORD)).status, 'another browser').toBe(200)
})

test('a cookie counts for its account, its installation and its password only', async () => {
  const [owner, stranger] = [await app.register(), await app.register()]
  const isKnown = async (cookie: string): Promise<boolean> =>
    (await signIn(newNetwork(), owner.user.email, PASSWORD, cookie)).status === 200
  const first = await signIn(newNetwork(), owner.user.email, PASSWORD)
  const theirs = await signIn(newNetwork(), stranger.user.email, PASSWORD)
  const forged = theirs.cookie.replace(`=${stranger.user._id}.`, `=${owner.user._id}.`)
  // One browser, two accounts: it stays known for both.
  const both = await signIn(newNetwork(), stranger.user.email, PASSWORD, first.cookie)
  await useUp(owner.user.email)
  expect([
    await isKnown(''),
    await isKnown(theirs.cookie),
    await isKnown(forged),
    await isKnown(`${first.cookie}x`),
    await isKnown(both.cookie),
    await isKnown(first.cookie),
  ]).toEqual([false, false, false, false, true, true])
  await changePassword(owner)
  expect((await signIn(newNetwork(), owner.user.email, NEW_PASSWORD, first.cookie)).status).toBe(
    429,
  )
})

const NEW_PASSWORD = 'a brand new passphrase'
const changePassword = async ({ user, token }: TestUser) =>
  expect(
    (
      await app.call(
        saveAccount,
        {
          params: { userId: user._id },
          body: { name: user.name, password: NEW_PASSWORD, currentPassword: PASSWORD },
        },
        token,
      )
    ).status,
  ).toBe(200)

test('the cookie is for the sign-in only, cannot be read by a script and lasts 400 days', async () => {
  const { user } = await app.register()
  const response = await app.send({
    method: 'POST',
    url: login.path,
    payload: { email: user.email, password: PASSWORD },
  })
  const device = response.cookies.find(({ name }) => name.startsWith('evenpost-device-'))
  expect(device).toMatchObject({
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: 400 * DAY,
  })
})

test('behind a proxy that TRUST_PROXY does not name, ten wrong passwords of one visitor refuse no other visitor', async () => {
  const tryBehindProxy = async (visitor: string, email: string, password: string) =>
    (
      await app.send({
        method: 'POST',
        url: login.path,
        payload: { email, password },
        remoteAddress: '172.18.0.5',
        headers: { 'x-forwarded-for': visitor },
      })
    ).statusCode
  const begun = performance.now()
  const statuses = []
  for (let n = 0; n < 11; n++)
    statuses.push(await tryBehindProxy('203.0.113.5', `unknown${n}@example.com`, 'wrong'))
  expectTenAtOnce(statuses, begun)
  const { user } = await app.register()
  expect(await tryBehindProxy('203.0.113.6', user.email, PASSWORD)).toBe(200)
})

test('IPv6 networks of one site share their attempts', async () => {
  const { user } = await cheaplyHashed()
  const site = Array.from({ length: 60 }, (_, n) => `2001:db8:7:${n.toString(16)}::1`)
  const begun = performance.now()
  const compared = await guessFrom(site, user.email)
  expect(compared).toBeGreaterThanOrEqual(10)
  expect(compared).toBeLessThanOrEqual(10 + freedSince(begun, 90))
  expect((await signIn('2001:db8:8::1', user.email, PASSWORD)).status).toBe(200)
})
