import { expect, test } from 'vitest'
import { deleteUser, listUsers, setUserDetails } from '#contract/accounts.ts'
import { listAuditEntries } from '#contract/audit.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { statement } from '#contract/ledger.ts'
import { findViolations } from '#server/ledger/service.ts'
import { testApp } from '#tests/support/app.ts'

const app = await testApp()
const admin = await app.admin()

test('a deleted user’s balance stays listed until an administrator books it out with a reason', async () => {
  const ana = await app.register('Ana')
  const params = { userId: ana.user._id }
  await app.creditDollars(ana.user._id, 12.5)
  await app.call(deleteUser, { params }, admin.token)
  const listed = async (query: RequestInput<typeof listUsers>['query']) =>
    (await app.call(listUsers, { query: { search: ana.user._id, ...query } }, admin.token)).body
  expect(await listed({})).toEqual([])
  expect(await listed({ activation: 'deleted' })).toMatchObject([
    { _id: ana.user._id, name: 'Deleted user', balance: 12.5, deleted: true },
  ])
  const search = `deleted-${ana.user._id}@deleted.invalid`
  expect(await listed({ activation: 'deleted', search })).toMatchObject([{ email: search }])
  for (const sort of ['balance', 'createdAt'] as const) {
    const found = await app.call(listUsers, { query: { activation: 'deleted', sort } }, admin.token)
    expect(found.body.map(({ _id }) => _id)).toContain(ana.user._id)
  }

  const book = (body: RequestInput<typeof setUserDetails>['body']) =>
    app.call(setUserDetails, { params, body }, admin.token)
  const stale = await book({ balance: 0, seenBalance: 10 })
  expect([stale.status, stale.body.code]).toEqual([409, 'balance_changed'])
  const reason = 'Paid out by check 1042'
  expect(await book({ balance: 0, seenBalance: 12.5, reason })).toMatchObject({
    status: 200,
    body: { user: { balance: 0 } },
  })
  expect(await listed({ activation: 'deleted' })).toMatchObject([{ balance: 0 }])
  const { entries } = (await app.call(statement, { params, query: {} }, admin.token)).body
  expect(entries[0]).toMatchObject({ kind: 'adjust_down', amount: -12.5, balance: 0, note: reason })
  const query = { userId: ana.user._id, kind: 'money' as const }
  expect((await app.call(listAuditEntries, { query }, admin.token)).body.entries).toMatchObject([
    {
      actor: { _id: admin.user._id },
      text: `Set the balance from $12.50 to $0.00 (-$12.50): ${reason}`,
    },
  ])
  expect(await findViolations(app.database.db)).toEqual([])
})
