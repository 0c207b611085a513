import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { setActivation, setRole } from '#contract/accounts.ts'
import type { Call } from '#contract/call.ts'
import { requestOf, testApp } from '#tests/support/app.ts'

// Every call of the house, made by every kind of caller. What each may do is said by the contract (architecture, 8), and here
// once more in words of its own, so that a slip in the door does not approve itself.
const app = await testApp()
const calls = app.door.calls.toSorted((a, b) => Number(a.path.endsWith('/logout')) - Number(b.path.endsWith('/logout')))

const owner = await app.register('Owner')
const stranger = await app.register('Stranger')
const friend = await app.register('Friend')
const blocked = await app.register('Blocked')
const admin = await app.admin()
await app.call(setRole, { params: { userId: friend.user._id }, body: { user_role: 'friend' } }, admin.token)
await app.call(setActivation, { params: { userId: blocked.user._id }, body: { activation: 'block' } }, admin.token)

/** Calls that name their user in the body instead of the path, with as much of a body as lets them be understood. */
const NAMES_USER: Record<string, (userId: string) => object> = {
  'POST /api/orders/v2': userId => ({
    user_id: userId, service_name: 'none', manifested: false, courier: 'usps', sender: {}, receiver: {}, package: {},
  }),
  'POST /api/orders/price/v2/bulk': userId => ({ userId, shipments: [] }),
  'POST /api/orders/bulk/init': userId => ({ userId }),
}

const nameOf = (call: Call) => `${call.method} ${call.path}`

/** The call with the owner as the user it is about, and with ids that nobody has. */
const about = (call: Call) => {
  const names = [...call.path.matchAll(/:(\w+)/g)].map(match => match[1]!)
  const body = NAMES_USER[nameOf(call)]?.(owner.user._id) ?? (call.method === 'GET' || call.method === 'DELETE' ? undefined : {})
  const params = Object.fromEntries(names.map(name => [name, name === 'userId' ? owner.user._id : '999999']))
  return requestOf(call, { params, body })
}

const make = async (call: Call, headers: Record<string, string>) => {
  const answer = await app.send({ ...about(call), headers })
  expect(answer.statusCode, `${nameOf(call)} answered ${answer.body.slice(0, 300)}`).toBeLessThan(500)
  return answer.statusCode === 401 ? 'sign in' : answer.statusCode === 403 ? 'forbidden' : 'let in'
}

/** All rows of all tables but those that note the calls themselves. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await app.database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
       and table_name not in ('throttle', 'login_session', 'audit_entry')`)
  const sums = tables.map(async ({ name }) => {
    const { rows } = await app.database.pool.query<{ line: string }>(`select t::text as line from ${name} t order by 1`)
    return [name, createHash('sha256').update(rows.map(row => row.line).join('\n')).digest('hex')]
  })
  return Object.fromEntries(await Promise.all(sums))
}

type Told = 'sign in' | 'forbidden' | 'let in'

/** Makes every call, and says of each what it was told. */
async function walk(headers: Record<string, string>): Promise<Record<string, Told>> {
  const told: Record<string, Told> = {}
  for (const call of calls) told[nameOf(call)] = await make(call, headers)
  return told
}

const all = (due: (call: Call) => Told): Record<string, Told> => Object.fromEntries(calls.map(call => [nameOf(call), due(call)]))

test('the house has its calls, and none that goes around the door', () => {
  expect(calls.length).toBeGreaterThan(10)
  const described = Object.entries((app.app.swagger() as { paths: Record<string, object> }).paths)
    .flatMap(([path, methods]) => Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`))
  expect(described.toSorted()).toEqual(calls.map(call => nameOf(call).replace(/:(\w+)/g, '{$1}')).toSorted())
})

test('every call that is about a user says which', () => {
  const silent = calls.filter(call => call.access === 'self' && !call.path.includes(':userId') && !NAMES_USER[nameOf(call)])
  expect(silent.map(nameOf)).toEqual([])
})

test('nobody signed in: only what is open to anyone', async () => {
  const before = await everything()
  expect(await walk({})).toEqual(all(call => call.access === 'anyone' ? 'let in' : 'sign in'))
  expect(await everything()).toEqual(before)
})

test('a token that is none, or of a blocked user, is as good as no token', async () => {
  const before = await everything()
  for (const token of ['sl_nonsense', 'x'.repeat(5_000), owner.user._id, blocked.token]) {
    expect(await walk({ token })).toEqual(all(call => call.access === 'anyone' ? 'let in' : 'sign in'))
  }
  expect(await everything()).toEqual(before)
})

const others = [['another user', stranger], ['a friend', friend]] as const
test.each(others)('%s: nothing of the owner’s, nothing of an administrator’s', async (_, visitor) => {
  const before = await everything()
  // The last call signs out: with a sign-in of its own.
  const token = await app.signIn(visitor.user.email, visitor.password)
  expect(await walk({ token })).toEqual(all(call => call.access === 'self' || call.access === 'admin' ? 'forbidden' : 'let in'))
  expect(await everything()).toEqual(before)
})

test('the owner: all that is his, nothing of an administrator’s', async () => {
  const token = await app.signIn(owner.user.email, owner.password)
  expect(await walk({ token })).toEqual(all(call => call.access === 'admin' ? 'forbidden' : 'let in'))
})

test('an administrator: his own calls, and of another’s those that read or are said to be open to him', async () => {
  const { token } = await app.admin()
  const open = (call: Call) => call.access !== 'self' || call.method === 'GET' || call.adminMayWrite === true
  expect(await walk({ token })).toEqual(all(call => open(call) ? 'let in' : 'forbidden'))
})

test('an administrator who is signed in as the owner: what the owner may, and no more', async () => {
  const token = 'sl_signed-in-as-the-owner'
  const sum = (text: string) => createHash('sha256').update(text).digest()
  await app.database.pool.query(
    `insert into login_session (user_id, token_hash, download_hash, kind, actor_id, expires_at)
       values ($1, $2, $3, 'impersonation', $4, now() + interval '1 hour')`,
    [owner.user._id, sum(token), sum('another'), admin.user._id])
  expect(await walk({ token })).toEqual(all(call => call.access === 'admin' ? 'forbidden' : 'let in'))
})

test('the download cookie opens the downloads and no other call', async () => {
  const payload = { email: owner.user.email, password: owner.password }
  const signedIn = await app.send({ method: 'POST', url: '/api/auth/login', payload })
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
  expect(await walk({ cookie })).toEqual(all(call => call.access === 'anyone' || call.byCookie ? 'let in' : 'sign in'))
})
