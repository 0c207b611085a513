import { expect, test } from 'vitest'
import { deleteUser, loginAs, setUserActivation, setUserRole } from '#contract/accounts.ts'
import { createKey, deleteKey, rotateKey } from '#contract/api-keys.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { SCOPES } from '#contract/keys.ts'
import type { Scope } from '#contract/keys.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import { tableChecksums } from './support/table-checksums.ts'

// Every call by every kind of caller. The contract declares the access; this test states it again,
// so that a mistake in the router does not approve itself.
const app = await testApp()
/** What ends the sign-in, or the user, that the other calls need. */
const isLast = (call: Endpoint): boolean =>
  call.path.endsWith('/logout') || (call.method === 'DELETE' && call.path === deleteUser.path)
const calls = app.router.calls.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))

const owner = await app.register('Owner')
const stranger = await app.register('Stranger')
const friend = await app.register('Friend')
const [blocked, actedAs, deleted] = [
  await app.register('Blocked'),
  await app.register('Acted as'),
  await app.register('Deleted'),
]
const admin = await app.admin()
const keyOf = async (
  of: { token: string; user: { _id: string } },
  scopes: readonly Scope[] = SCOPES,
): Promise<{ id: string; key: string }> => {
  const input = { params: { userId: of.user._id }, body: { name: 'Program', scopes: [...scopes] } }
  const { status, body } = await app.call(createKey, input, of.token)
  expect(status, body.message).toBe(200)
  return { id: body._id, key: body.key }
}
const keyOfBlocked = await keyOf(blocked)
const keyOfDeleted = await keyOf(deleted)
const everything = () => tableChecksums(app.database)
const as = (userId: string) => app.call(loginAs, { params: { userId }, body: {} }, admin.token)
const asBlocked = (await as(blocked.user._id)).body.token
await app.call(
  setUserRole,
  { params: { userId: friend.user._id }, body: { user_role: 'friend' } },
  admin.token,
)
await app.call(
  setUserActivation,
  { params: { userId: blocked.user._id }, body: { activation: 'block' } },
  admin.token,
)
await app.call(deleteUser, { params: { userId: deleted.user._id } }, admin.token)

/** Calls that name their user in the body instead of the path, with as much of a body as lets them be understood. */
const USER_IN_BODY: Record<string, (userId: string) => object> = {
  'POST /api/orders/v2': userId => ({
    user_id: userId,
    service_name: 'none',
    manifested: false,
    courier: 'usps',
    sender: {},
    receiver: {},
    package: {},
  }),
  'POST /api/orders/price/v2/bulk': userId => ({ userId, shipments: [] }),
  'POST /api/orders/bulk/init': userId => ({ userId }),
}

/** The specification has one call that reads by its name and opens an invoice where there is none. */
const GETS_THAT_CHANGE = ['GET /api/payment/top-up/:userId']

const nameOf = (call: Endpoint) => `${call.method} ${call.path}`

/** The call about a user, with ids that do not exist. */
const requestAbout = (call: Endpoint, userId: string) => {
  const names = [...call.path.matchAll(/:(\w+)/g)].map(match => match[1]!)
  const body =
    USER_IN_BODY[nameOf(call)]?.(userId)
    ?? (call.method === 'GET' || call.method === 'DELETE' ? undefined : {})
  const values: Record<string, string> = { userId, fingerprint: 'f'.repeat(64) }
  const params = Object.fromEntries(names.map(name => [name, values[name] ?? '999999']))
  return injectOptionsFor(call, { params, body })
}

const callAs = async (call: Endpoint, headers: Record<string, string>, userId: string) => {
  const answer = await app.send({ ...requestAbout(call, userId), headers })
  expect(answer.statusCode, `${nameOf(call)} answered ${answer.body.slice(0, 300)}`).toBeLessThan(
    500,
  )
  return answer.statusCode === 401 ? 'sign in' : answer.statusCode === 403 ? 'forbidden' : 'let in'
}

type AccessResult = 'sign in' | 'forbidden' | 'let in'

/** Makes every call about the owner, or another user, and says of each what it was told. */
async function callAll(
  headers: Record<string, string>,
  userId = owner.user._id,
): Promise<Record<string, AccessResult>> {
  const told: Record<string, AccessResult> = {}
  for (const call of calls) told[nameOf(call)] = await callAs(call, headers, userId)
  return told
}

const expectedFor = (due: (call: Endpoint) => AccessResult): Record<string, AccessResult> =>
  Object.fromEntries(calls.map(call => [nameOf(call), due(call)]))

/** 'GET /api/health' of a tree of lines such as '│   └── /health (GET, HEAD)', four characters for each level. */
function routesIn(tree: string): string[] {
  const parts: string[] = []
  return tree.split('\n').flatMap(line => {
    const [, edge = '', part = '', methods = ''] =
      /^([│├└─\s]*)(\S+)(?: \((.+)\))?$/.exec(line) ?? []
    const level = edge.length / 4 - 1
    parts.splice(level, Infinity, part)
    return methods
      .split(', ')
      .filter(method => method !== '' && method !== 'HEAD')
      .map(method => `${method} ${parts.join('')}`)
  })
}

test('the server has its calls, and none that avoids the router', () => {
  expect(calls.length).toBeGreaterThan(10)
  const routes = routesIn(app.app.printRoutes({ commonPrefix: false })).filter(route =>
    /^[A-Z]+ \/(?:api|v2)\//.test(route),
  )
  const documents = ['GET /api/openapi.json']
  // The tree joins names of one place: ':orderId|:userId'.
  const unnamed = (route: string): string => route.replace(/:[\w|:]+/g, ':')
  expect(
    routes
      .filter(route => !documents.includes(route))
      .map(unnamed)
      .toSorted(),
  ).toEqual(calls.map(call => unnamed(nameOf(call))).toSorted())
})

test('every call about a user names that user', () => {
  const silent = calls.filter(
    call => call.access === 'self' && !call.path.includes(':userId') && !USER_IN_BODY[nameOf(call)],
  )
  expect(silent.map(nameOf)).toEqual([])
})

test('signed out: only what is open to anyone', async () => {
  const before = await everything()
  expect(await callAll({})).toEqual(
    expectedFor(call => (call.access === 'anyone' ? 'let in' : 'sign in')),
  )
  expect(await everything()).toEqual(before)
})

test('an invalid token, or one of a blocked or deleted user, is like no token', async () => {
  const before = await everything()
  for (const token of [
    'sl_nonsense',
    'x'.repeat(5_000),
    owner.user._id,
    blocked.token,
    asBlocked,
    deleted.token,
  ]) {
    expect(await callAll({ token })).toEqual(
      expectedFor(call => (call.access === 'anyone' ? 'let in' : 'sign in')),
    )
  }
  expect(await everything()).toEqual(before)
})

const others = [
  ['another user', stranger],
  ['a friend', friend],
] as const
test.each(others)(
  '%s: nothing of the owner’s, nothing of an administrator’s',
  async (_, visitor) => {
    const before = await everything()
    // The last call signs out: with a sign-in of its own.
    const token = await app.signIn(visitor.user.email, visitor.password)
    expect(await callAll({ token })).toEqual(
      expectedFor(call =>
        call.access === 'self' || call.access === 'admin' ? 'forbidden' : 'let in',
      ),
    )
    expect(await everything()).toEqual(before)
  },
)

test('the owner: everything of their own, nothing of an administrator’s', async () => {
  const token = await app.signIn(owner.user.email, owner.password)
  expect(await callAll({ token })).toEqual(
    expectedFor(call => (call.access === 'admin' ? 'forbidden' : 'let in')),
  )
})

test('an administrator: their own calls, and of other users’ those that read or are declared open, unless for the user alone', async () => {
  const { token } = await app.admin()
  const subject = await app.register('Subject')
  const open = (call: Endpoint) =>
    call.access !== 'self'
    || (call.method === 'GET' && !call.refusesAdministrators)
    || call.adminMayWrite === true
  expect(await callAll({ token }, subject.user._id)).toEqual(
    expectedFor(call => (open(call) ? 'let in' : 'forbidden')),
  )
})

test('a deleted or unknown user: nothing can be done with them, and nothing breaks', async () => {
  const before = await everything()
  const concerned = calls.filter(
    call => call.path.includes(':userId') || USER_IN_BODY[nameOf(call)],
  )
  for (const userId of [deleted.user._id, '999999']) {
    for (const call of concerned)
      expect(await callAs(call, { token: admin.token }, userId)).not.toBe('sign in')
  }
  expect(await everything()).toEqual(before)
})

test('an administrator signed in as a user: what that user may do, except what is for the user alone', async () => {
  const { token } = (await as(actedAs.user._id)).body
  const hidden = (call: Endpoint) => call.access === 'admin' || call.refusesImpersonation === true
  expect(await callAll({ token }, actedAs.user._id)).toEqual(
    expectedFor(call => (hidden(call) ? 'forbidden' : 'let in')),
  )
  const other = await app.signIn(actedAs.user.email, actedAs.password)
  expect(await callAll({ token: other }, actedAs.user._id)).toEqual(
    expectedFor(call => (call.access === 'admin' ? 'forbidden' : 'let in')),
  )
})

test('an administrator signed in as another user: nothing of the owner’s', async () => {
  const before = await everything()
  const { token } = (await as(actedAs.user._id)).body
  const closed = (call: Endpoint) =>
    call.access === 'self' || call.access === 'admin' || call.refusesImpersonation
  expect(await callAll({ token })).toEqual(
    expectedFor(call => (closed(call) ? 'forbidden' : 'let in')),
  )
  expect(await everything()).toEqual(before)
})

test('everything that a log-in-as-user changes is recorded, and nothing else', async () => {
  const { token } = (await as(actedAs.user._id)).body
  await callAll({ token }, actedAs.user._id)
  const { rows } = await app.database.pool.query<{ call: string }>(
    `select distinct detail->>'call' as call from audit_entry where action = 'acted-as' and actor_id = $1 and subject_id = $2`,
    [admin.user._id, actedAs.user._id],
  )
  const written = new Set(rows.map(({ call }) => call))
  const open = calls
    .filter(call => call.access === 'self' || call.access === 'signed-in')
    .filter(call => !call.refusesImpersonation)
  const matters = (call: Endpoint) =>
    call.method === 'GET'
      ? call.acceptsDownloadCookie || GETS_THAT_CHANGE.includes(nameOf(call))
      : !call.readOnly
  const reads = open.filter(call => call.method === 'GET' && !matters(call)).map(nameOf)
  expect([...written].filter(call => reads.includes(call))).toEqual([])
  // What an empty query or body does not pass is refused before it begins, and changes nothing.
  const begun = open.filter(
    call =>
      matters(call)
      && call.body?.safeParse({}).success !== false
      && call.query?.safeParse({}).success !== false,
  )
  expect(begun.map(nameOf).filter(call => !written.has(call))).toEqual([])
  expect(begun.length).toBeGreaterThan(5)
})

test('the download cookie opens downloads and no other call', async () => {
  const payload = { email: owner.user.email, password: owner.password }
  const signedIn = await app.send({ method: 'POST', url: '/api/auth/login', payload })
  // One for each place; the other cookie is the browser's, and opens nothing.
  const cookies = signedIn.cookies.filter(cookie => cookie.name.startsWith('evenpost-dl-'))
  const { name, value } = cookies[0]!
  const opened = (call: Endpoint) => (call.access === 'admin' ? 'forbidden' : 'let in')
  const due = expectedFor(call =>
    call.access === 'anyone' ? 'let in' : call.acceptsDownloadCookie ? opened(call) : 'sign in',
  )
  expect(await callAll({ cookie: `${name}=${value}` })).toEqual(due)
  // And a browser sends it to each of them.
  const reached = calls.filter(({ path: at }) =>
    cookies.some(({ path }) => at === path || at.startsWith(`${path}/`)),
  )
  expect(
    calls.filter(call => call.acceptsDownloadCookie && !reached.includes(call)).map(nameOf),
  ).toEqual([])
})

const codeAs = async (call: Endpoint, key: string, userId: string): Promise<string> => {
  const answer = await app.send({
    ...requestAbout(call, userId),
    headers: { authorization: `Bearer ${key}` },
  })
  expect(answer.statusCode, `${nameOf(call)} answered ${answer.body.slice(0, 300)}`).toBeLessThan(
    500,
  )
  const isRefused = answer.statusCode === 401 || answer.statusCode === 403
  return isRefused ? refusalCodeOf(answer) : 'let in'
}
/** Of a refusal of ours, or in the shape of EasyPost. */
const refusalCodeOf = (answer: { json(): { code?: string; error: string | { code: string } } }) => {
  const { code, error } = answer.json()
  return code ?? (typeof error === 'string' ? error : error.code)
}
const codesAs = async (
  key: (call: Endpoint) => string,
  userId: string,
): Promise<Record<string, string>> => {
  const told: Record<string, string> = {}
  for (const call of calls) told[nameOf(call)] = await codeAs(call, key(call), userId)
  return told
}
const isOurs = (call: Endpoint): boolean => !call.path.startsWith('/v2/')
const ourCodes = (told: Record<string, string>): Record<string, string> =>
  Object.fromEntries(calls.filter(isOurs).map(call => [nameOf(call), told[nameOf(call)]!]))
const dueOf = (due: (call: Endpoint) => string): Record<string, string> =>
  Object.fromEntries(calls.filter(isOurs).map(call => [nameOf(call), due(call)]))

test('a key with the scope of a call may make it; with all other scopes, or for a call that is not for keys, it may not', async () => {
  const seller = await app.register('Seller')
  const keys = new Map<string, { has: string; lacks: string }>()
  for (const scope of SCOPES) {
    const has = await keyOf(seller, [scope])
    const lacks = await keyOf(
      seller,
      SCOPES.filter(one => one !== scope),
    )
    keys.set(scope, { has: has.key, lacks: lacks.key })
  }
  const all = (await keyOf(seller)).key
  const open = (call: Endpoint): boolean => call.access === 'anyone' || call.scope === 'any'
  const withIt = (call: Endpoint) => keys.get(call.scope ?? '')?.has ?? all
  const withoutIt = (call: Endpoint) => keys.get(call.scope ?? '')?.lacks ?? all
  const before = await everything()
  expect(ourCodes(await codesAs(withoutIt, seller.user._id))).toEqual(
    dueOf(call => (open(call) ? 'let in' : call.scope ? 'scope_missing' : 'not_for_keys')),
  )
  expect(await everything()).toEqual(before)
  expect(ourCodes(await codesAs(withIt, seller.user._id))).toEqual(
    dueOf(call => (open(call) || call.scope ? 'let in' : 'not_for_keys')),
  )
})

test('an administrator’s key is that of a user: nothing of others, nothing of an administrator’s', async () => {
  const { key } = await keyOf(admin)
  const due = (call: Endpoint): string => {
    if (call.access === 'anyone') return 'let in'
    if (call.scope === undefined) return 'not_for_keys'
    return call.access === 'self' ? 'not_yours' : 'let in'
  }
  expect(ourCodes(await codesAs(() => key, owner.user._id))).toEqual(dueOf(due))
})

test('a key that expired or was deleted or replaced, or whose user is blocked or deleted, opens nothing', async () => {
  const seller = await app.register('Seller')
  const [expired, revoked, rotated] = [
    await keyOf(seller),
    await keyOf(seller),
    await keyOf(seller),
  ]
  await app.database.pool.query(`update api_key set expires_at = now() where id = $1`, [expired.id])
  const params = { userId: seller.user._id }
  await app.call(deleteKey, { params: { ...params, keyId: revoked.id } }, seller.token)
  await app.call(
    rotateKey,
    { params: { ...params, keyId: rotated.id }, body: { graceHours: 0 } },
    seller.token,
  )
  const before = await everything()
  for (const { key } of [expired, revoked, rotated, keyOfBlocked, keyOfDeleted])
    expect(ourCodes(await codesAs(() => key, seller.user._id))).toEqual(
      dueOf(call => (call.access === 'anyone' ? 'let in' : 'key_not_valid')),
    )
  expect(await everything()).toEqual(before)
})
