/** Long lists are sent in parts: thirty at once delay no other call, and each is complete. */
import { afterAll, expect, test } from 'vitest'
import { listUsers } from '#contract/accounts.ts'
import { listAddresses } from '#contract/addresses.ts'
import { listAuditEntries } from '#contract/audit.ts'
import { listDeposits, listDepositsInReview } from '#contract/payments.ts'
import { invitedUsers } from '#contract/referrals.ts'
import { addSkus, listSkus } from '#contract/skus.ts'
import { testDatabase } from '#tests/support/database.ts'
import { FROZEN, watchHealth } from '#tests/support/health-watch.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { sendWhole } from './send-whole.ts'
import { waitDuring } from './wait-during.ts'

const SKUS = 48_000

const database = await testDatabase()
const data = await createDataFolder()
const server = await startServer(data.path, {
  DATABASE_URL: database.url,
  ALLOW_UNSAFE_DATABASE: 'yes',
})
const watch = watchHealth(server.url)
afterAll(async () => {
  await watch.close()
  await server.stop('SIGTERM')
  await data.forget()
})

async function sellerWithSkus(): Promise<SignedInUser> {
  const seller = await server.register('Seller')
  await database.owner.pool.query(
    `insert into sku (user_id, sku, max_qty, weight_lb, length_in, width_in, height_in, description)
      select $1, 'SKU ' || lpad(n::text, 6, '0'), 1, 1.5, 9, 6, 3, 'A mug "of" ' || n from generate_series(1, $2::int) n`,
    [seller.user._id, SKUS],
  )
  return seller
}

/**
 * The complete answer or a refusal; undefined if the server closed the connection, as it does when a client has read nothing for two
 * seconds and others wait. Throws if a truncated answer ended like a complete one.
 */
async function wholeOrNone<Answer extends { status: number }>(
  asked: Promise<Answer>,
): Promise<Answer | undefined> {
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof SyntaxError) throw error
    return undefined
  })
  if (answer) expect([200, 429, 503]).toContain(answer.status)
  return answer
}

test('thirty lists of 48,000 SKUs at once: other calls go on, and each list is complete or refused', async () => {
  const { user, token } = await sellerWithSkus()
  const asked = { params: { userId: user._id } }
  const lengths: number[] = []
  const attack = () => {
    lengths.length = 0
    return Promise.all(
      Array.from({ length: 30 }, async () => {
        const answer = await wholeOrNone(server.call(listSkus, asked, token))
        if (answer?.status === 200) lengths.push(answer.body.SkuData.length)
      }),
    )
  }
  const wait = await waitDuring(watch, attack, FROZEN, () => lengths.length >= 2)
  expect(lengths.length).toBeGreaterThanOrEqual(2)
  expect(new Set(lengths)).toEqual(new Set([SKUS]))
  expect(wait).toBeLessThan(FROZEN)
})

test('a long list has the same shape as a short one, in its order, and so has the answer to an upload', async () => {
  const { user, token } = await sellerWithSkus()
  const asked = { params: { userId: user._id } }
  const added = await server.call(
    addSkus,
    {
      ...asked,
      body: {
        parsedData: [{ sku: 'A first', maxQty: 1, weight: 1, length: 1, width: 1, height: 1 }],
      },
    },
    token,
  )
  expect([added.status, added.body.ok, added.body.message]).toEqual([
    200,
    true,
    'New SKU Data Added',
  ])
  const { body } = await server.call(listSkus, asked, token)
  expect(body).toEqual({ SkuData: added.body.SkuData })
  expect(body.SkuData.map(({ sku }) => sku)).toEqual([
    'A first',
    ...Array.from({ length: SKUS }, (_, n) => `SKU ${String(n + 1).padStart(6, '0')}`),
  ])
  expect(body.SkuData[1]).toMatchObject({ weight: 1.5, description: 'A mug "of" 1' })
  expect((await server.call(listAddresses, asked, token)).body).toEqual({ savedAddress: [] })
})

test('thirty uploads of 20,000 SKUs at once: other calls go on, and each is saved or refused', async () => {
  const { user, token } = await server.register('Seller')
  const parsedData = Array.from({ length: 20_000 }, (_, n) => ({
    sku: `SKU ${n}`,
    maxQty: 1,
    weight: 1,
    length: 1,
    width: 1,
    height: n === 19_999 ? 0 : 1,
    description: 'A mug',
  }))
  const body = { parsedData }
  const asked = { params: { userId: user._id }, body }
  const statuses: number[] = []
  const wait = await waitDuring(watch, () => {
    statuses.length = 0
    return Promise.all(
      Array.from({ length: 30 }, async () => {
        const { status } = await sendWhole(() => server.call(addSkus, asked, token))
        statuses.push(status)
      }),
    )
  })
  expect(statuses.filter(status => status === 422).length).toBeGreaterThanOrEqual(2)
  for (const status of statuses) expect([422, 429, 503]).toContain(status)
  // Checked without a pause it is 56. On a busy machine up to 11 in parts.
  expect(wait).toBeLessThan(FROZEN)
})

test('forty lists of 10,000 users, audit entries and deposits at once: other calls go on, and each is whole', async () => {
  const { user, token } = await server.admin()
  const id = user._id
  const params = { userId: id }
  await database.owner.pool.query(
    `insert into app_user (name, email, email_key, password_hash, referral_code, referred_by)
      select 'Customer ' || n, n || '@example.com', n || '@example.com', '-', 'MANY' || n, $1
        from generate_series(1, 10000) n`,
    [id],
  )
  await database.owner.pool.query(
    `insert into audit_entry (actor_id, subject_id, action, detail)
      select $1, $1, 'login', '{"network": "192.0.2.0"}' from generate_series(1, 10000)`,
    [id],
  )
  await database.owner.pool.query(
    `insert into invoice (user_id, provider, external_id, status, additional_status, paid_cents, needs_review, expires_at, next_lookup_at)
      select $1, 'sandbox', 'many-' || n, 'Expired', 'PaidLate', 100, true, now(), null from generate_series(1, 10000) n`,
    [id],
  )
  const query = { page: 1, limit: 10_000 }
  const kinds = [
    () => server.call(listUsers, { query: { ...query, search: 'Customer' } }, token),
    () => server.call(listAuditEntries, { query }, token),
    () => server.call(listDepositsInReview, { query }, token),
    () => server.call(listDeposits, { params, query }, token),
    () => server.call(invitedUsers, { params, query }, token),
  ]
  const lengthOf = (body: unknown): number =>
    (
      Object.values(Array.isArray(body) ? [body] : (body as object)).find(
        Array.isArray,
      ) as unknown[]
    ).length
  const lengths: number[] = []
  const attack = () => {
    lengths.length = 0
    return Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const answer = await wholeOrNone<{ status: number; body: unknown }>(
          kinds[n % kinds.length]!(),
        )
        if (answer?.status === 200) lengths.push(lengthOf(answer.body))
      }),
    )
  }
  const wait = await waitDuring(watch, attack, FROZEN, () => lengths.length >= kinds.length)
  // On a slow machine the wait for a turn may end before the turn comes.
  expect(lengths.length).toBeGreaterThanOrEqual(kinds.length)
  for (const ask of kinds) lengths.push(lengthOf((await ask()).body))
  expect(new Set(lengths)).toEqual(new Set([10_000]))
  expect(wait).toBeLessThan(FROZEN)
})
