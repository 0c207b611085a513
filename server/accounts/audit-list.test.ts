import { expect, test } from 'vitest'
import {
  deleteUser,
  listUsers,
  login,
  setUserActivation,
  setUserDetails,
  setUserRole,
} from '#contract/accounts.ts'
import { listAuditEntries } from '#contract/audit.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { statement } from '#contract/ledger.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { freedSince } from '#tests/support/freed-since.ts'

const app = await testApp()
const admin = await app.admin()
const listAudit = async (query: RequestInput<typeof listAuditEntries>['query']) =>
  (await app.call(listAuditEntries, { query }, admin.token)).body
const texts = async (query: RequestInput<typeof listAuditEntries>['query']) =>
  (await listAudit(query)).entries.map(({ text }) => text)
const person = ({ user: { _id, name, email } }: TestUser) => ({ _id, name, email })
const block = (of: TestUser) =>
  app.call(
    setUserActivation,
    { params: { userId: of.user._id }, body: { activation: 'block' } },
    admin.token,
  )

test('the audit tells who did what to whom, newest first', async () => {
  const ana = await app.register('Ana')
  await app.call(
    setUserDetails,
    { params: { userId: ana.user._id }, body: { balance: 25, reason: 'goodwill' } },
    admin.token,
  )
  await app.call(
    setUserRole,
    { params: { userId: ana.user._id }, body: { user_role: 'friend' } },
    admin.token,
  )
  const { entries, totalCount, more } = await listAudit({ userId: ana.user._id })
  expect(
    entries.map(({ text, kind, actor, subject }) => [text, kind, actor?.name, subject?.name]),
  ).toEqual([
    ['Changed the role from user to friend', 'users', 'Administrator', 'Ana'],
    ['Set the balance from $0.00 to $25.00 (+$25.00): goodwill', 'money', 'Administrator', 'Ana'],
    ['Created an account', 'sign-in', 'Ana', 'Ana'],
  ])
  expect([totalCount, more]).toEqual([3, false])
  expect(entries[1]).toMatchObject({
    action: 'adjusted',
    actor: person(admin),
    subject: person(ana),
    detail: { from: 0, to: 25, difference: 25, reason: 'goodwill' },
  })
})

test('the filter by user matches actor and subject', async () => {
  const [second, ana] = [await app.register('Second'), await app.register('Ana')]
  await app.call(
    setUserRole,
    { params: { userId: second.user._id }, body: { user_role: 'admin' } },
    admin.token,
  )
  await app.call(
    setUserRole,
    { params: { userId: ana.user._id }, body: { user_role: 'friend' } },
    second.token,
  )
  expect(await texts({ userId: second.user._id, kind: 'users' })).toEqual([
    'Changed the role from user to friend',
    'Changed the role from user to admin',
  ])
  expect(await texts({ userId: ana.user._id, kind: 'money' })).toEqual([])
})

test('a search finds entries by the words of the action and by users, each entry once', async () => {
  const [vera, odd] = [await app.register('Vera Lindqvist'), await app.register('Password Oddname')]
  await block(vera)
  await app.call(
    setUserDetails,
    { params: { userId: vera.user._id }, body: { balance: 4, reason: 'goodwill' } },
    admin.token,
  )
  expect(await texts({ search: 'lindQV' })).toEqual([
    'Set the balance from $0.00 to $4.00 (+$4.00): goodwill',
    'Blocked',
    'Created an account',
  ])
  expect(await texts({ search: vera.user.email, kind: 'users' })).toEqual(['Blocked'])
  expect(await texts({ search: 'bal set', userId: vera.user._id })).toEqual([
    'Set the balance from $0.00 to $4.00 (+$4.00): goodwill',
  ])
  expect(await texts({ search: 'bal set', userId: odd.user._id })).toEqual([])
  expect((await listAudit({ search: 'bal set', limit: 1 })).entries).toMatchObject([
    { action: 'adjusted', subject: { name: 'Vera Lindqvist' } },
  ])
  // A word of actions and of a name.
  expect((await listAudit({ search: 'oddname' })).totalCount).toBe(1)
  const both = await listAudit({ search: 'password', limit: 100 })
  expect(both.entries.map(({ subject }) => subject?.name)).toContain('Password Oddname')
  expect(new Set(both.entries.map(({ _id }) => _id)).size).toBe(both.totalCount)
  for (const search of ['no such word', '%', '\\', '"'])
    expect(await listAudit({ search })).toMatchObject({ entries: [], totalCount: 0 })
})

test('a search that matches more than twenty users says so', async () => {
  const everybody = await Promise.all(Array.from({ length: 21 }, () => app.register('Tessmer')))
  expect(await listAudit({ search: 'tessmer' })).toMatchObject({ totalCount: 20, moreUsers: true })
  const [one] = everybody
  expect(await listAudit({ search: one!.user.email })).toMatchObject({
    totalCount: 1,
    moreUsers: false,
  })
})

test('a deleted user appears in the audit without a name', async () => {
  const ana = await app.register('Ana Rivera')
  await app.call(deleteUser, { params: { userId: ana.user._id } }, admin.token)
  const { entries } = await listAudit({ userId: ana.user._id })
  const forgotten = {
    _id: ana.user._id,
    name: 'Deleted user',
    email: `deleted-${ana.user._id}@deleted.invalid`,
  }
  expect(entries.map(({ text, actor, subject }) => [text, actor, subject])).toEqual([
    ['Deleted', person(admin), forgotten],
    ['Created an account', forgotten, forgotten],
  ])
})

test('pages have no gaps, also with a filter by kind', async () => {
  const everybody = await Promise.all([1, 2, 3].map(() => app.register()))
  for (const one of everybody) await block(one)
  const whole = await listAudit({ kind: 'users' })
  expect(new Set(whole.entries.map(({ kind }) => kind))).toEqual(new Set(['users']))
  const ids = whole.entries.map(({ _id }) => Number(_id))
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  const pages = []
  for (let page = 1; pages.length < ids.length; page++)
    pages.push(...(await listAudit({ kind: 'users', page, limit: 2 })).entries)
  expect(pages).toEqual(whole.entries)
  expect(whole.totalCount).toBe(ids.length)
})

test('ten thousand entries are counted, and more are reported', async () => {
  const ana = await app.register('Ana')
  await app.database.pool.query(
    `insert into audit_entry (actor_id, subject_id, action) select $1, $1, 'name' from generate_series(1, 10000)`,
    [ana.user._id],
  )
  const { totalCount, more } = await listAudit({ userId: ana.user._id, limit: 1 })
  expect([totalCount, more]).toEqual([10_000, true])
  const exact = await listAudit({ userId: ana.user._id, kind: 'account', limit: 1 })
  expect([exact.totalCount, exact.more]).toEqual([10_000, false])
  const named = await listAudit({ search: ana.user.email, limit: 1 })
  expect([named.totalCount, named.more]).toEqual([10_000, true])
})

test('sign-ins record the network and the kind of device, and no typed text', async () => {
  const ana = await app.register('Ana')
  const from = {
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/131.0' },
  }
  for (const password of [PASSWORD, 'a mistyped secret']) {
    await app.send({
      method: 'POST',
      url: login.path,
      payload: { email: ana.user.email, password },
      ...from,
    })
  }
  const { entries } = await listAudit({ userId: ana.user._id, limit: 2 })
  const seen = { network: '203.0.113.77', device: 'Firefox on Windows' }
  expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
    ['login-denied', seen],
    ['login', seen],
  ])
})

test('behind a proxy the audit has the address from the proxy, not one from the caller', async () => {
  const behind = await testApp({ env: { TRUST_PROXY: 'yes' } })
  const knock = (claimed: string) =>
    behind.send({
      method: 'POST',
      url: login.path,
      headers: { 'x-forwarded-for': claimed },
      payload: { email: 'unknown@example.com', password: PASSWORD },
    })
  for (const claimed of ['198.51.100.7, 203.0.113.9', '203.0.113.9', 'ben@example.com'])
    expect((await knock(claimed)).statusCode).toBe(401)
  const { rows } = await behind.database.pool.query(
    `select detail ->> 'network' as network from audit_entry where action = 'login-denied' order by id`,
  )
  expect(rows.map(({ network }) => network)).toEqual(['203.0.113.9', '203.0.113.9', 'unknown'])
})

test('throttled attempts are recorded once a minute, not one by one', async () => {
  const ana = await app.register('Ana')
  const guess = (email: string, address?: string) =>
    app.call(login, { body: { email, password: 'a guess' } }, undefined, address)
  const expectOnceAMinute = (denied: string[], begun: number): void => {
    const throttled = denied.filter(text => text.startsWith('Sign-in throttled')).length
    expect(throttled).toBeGreaterThanOrEqual(1)
    expect(throttled).toBeLessThanOrEqual(1 + freedSince(begun, 60))
  }
  let begun = performance.now()
  // From one network: of many networks each may try.
  for (let n = 0; n < 15; n++) await guess(ana.user.email, '198.51.100.43')
  expectOnceAMinute(await texts({ userId: ana.user._id, kind: 'denied' }), begun)
  begun = performance.now()
  const before = (await listAudit({ kind: 'denied' })).totalCount
  for (let n = 0; n < 20; n++) await guess(`unknown${n}@example.com`, '198.51.100.44')
  const told = await texts({
    kind: 'denied',
    limit: (await listAudit({ kind: 'denied' })).totalCount - before,
  })
  expectOnceAMinute(told, begun)
})

test('forbidden requests are recorded, but a flood of them is not', async () => {
  const [ana, ben] = [await app.register('Ana'), await app.register('Ben')]
  const begun = performance.now()
  const pry = () => app.call(statement, { params: { userId: ben.user._id }, query: {} }, ana.token)
  expect((await app.call(listUsers, { query: {} }, ana.token)).status).toBe(403)
  for (let n = 0; n < 45; n++) expect((await pry()).status).toBe(403)
  const { entries } = await listAudit({ userId: ana.user._id, kind: 'denied' })
  expect(entries.length).toBeGreaterThanOrEqual(30)
  expect(entries.length).toBeLessThanOrEqual(30 + freedSince(begun, 20))
  expect(entries.slice(-2).map(({ text, actor }) => [text, actor?.name])).toEqual([
    [`Refused: GET /api/wallet/:userId/statement is not allowed for user ${ben.user._id}`, 'Ana'],
    ['Refused: GET /api/auth/users is not allowed', 'Ana'],
  ])
})

test('a request for an unknown path cannot write text into the audit', async () => {
  const ana = await app.register('Ana')
  for (const name of [
    '5. Set the balance from $0.00 to $9,000.00',
    'ben@example.com',
    '\u202e001',
    'a\u0000b',
  ]) {
    const url = `/api/auth/users/role/${encodeURIComponent(name)}`
    expect(
      (
        await app.send({
          method: 'POST',
          url,
          headers: { token: ana.token },
          payload: { user_role: 'admin' },
        })
      ).statusCode,
    ).toBe(403)
  }
  expect(new Set(await texts({ userId: ana.user._id, kind: 'denied' }))).toEqual(
    new Set(['Refused: POST /api/auth/users/role/:userId is not allowed']),
  )
})

test('the audit can be filtered by time, inclusive', async () => {
  const ana = await app.register('Ana')
  // Entries for each day of a future year; the last test, because ids follow the clock.
  await app.database.owner.pool.query(
    `
    insert into audit_entry (created_at, actor_id, subject_id, action)
      select timestamptz '2032-01-01 12:00Z' + n * interval '1 day', $1, $1, case when n % 2 = 0 then 'login' else 'logout' end
        from generate_series(0, 365) n order by n`,
    [ana.user._id],
  )
  const days = async (query: RequestInput<typeof listAuditEntries>['query']) =>
    (await listAudit(query)).entries.map(({ at }) => at.slice(0, 10))
  const span = { from: '2032-02-28T12:00:00Z', to: '2032-03-02T12:00:00Z' }
  const wanted = ['2032-03-02', '2032-03-01', '2032-02-29', '2032-02-28']
  expect(await days(span)).toEqual(wanted)
  expect(await days({ ...span, userId: ana.user._id })).toEqual(wanted)
  expect(await days({ ...span, kind: 'sign-in' })).toEqual(wanted)
  expect(await days({ ...span, kind: 'sign-in', userId: ana.user._id, limit: 2, page: 2 })).toEqual(
    wanted.slice(2),
  )
  expect(await days({ ...span, kind: 'money' })).toEqual([])
  expect((await listAudit({ from: '2032-12-30T00:00:00Z' })).totalCount).toBe(2)
  expect((await listAudit({ to: '2032-01-02T12:00:00Z', userId: ana.user._id })).totalCount).toBe(3)
  expect(await days({ from: '2031-01-01T00:00:00Z', to: '2031-06-01T00:00:00Z' })).toEqual([])
  expect(await days({ from: '2033-06-01T00:00:00Z' })).toEqual([])
  expect(await days({ from: span.to, to: span.from })).toEqual([])
  expect(await days({ to: '2020-01-01T00:00:00Z' })).toEqual([])
})
