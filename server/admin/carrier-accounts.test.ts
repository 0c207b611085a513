import { expect, test } from 'vitest'
import { listAuditEntries } from '#contract/audit.ts'
import { listCarrierAccounts, retryCarrier, setServiceSources } from '#contract/carriers.ts'
import { openCarrierAccounts } from '#server/carriers/open.ts'
import { setServiceSources as setSources } from '#server/carriers/set-sources.ts'
import { sellerOf } from '#server/carriers/sources.ts'
import { testApp } from '#tests/support/app.ts'

const app = await testApp()
const admin = await app.admin()
const ana = await app.register()
const GROUND = 'usps:GROUND_ADVANTAGE'

/** The same installation with two accounts. */
function withTwoAccounts() {
  const sandbox = openCarrierAccounts(app.ctx)[0].carrier
  const account = (name: string) => ({
    name,
    carrier: { ...sandbox, account: `sandbox:${name}` },
    earlierNames: [],
  })
  const accounts = [account('main'), account('backup')]
  return { ...app.ctx, carrier: accounts[0]!.carrier, carrierAccounts: accounts }
}

test('an administrator sees the accounts, and through which of them each service is sold', async () => {
  const { status, body } = await app.call(listCarrierAccounts, {}, admin.token)
  expect(status).toBe(200)
  expect(body.accounts).toMatchObject([
    { name: 'main', carrier: 'sandbox', state: 'working', reason: null },
  ])
  expect(body.services).toContainEqual({
    uid: GROUND,
    name: 'USPS Ground Advantage',
    first: 'main',
    second: null,
  })
  expect((await app.call(listCarrierAccounts, {}, ana.token)).status).toBe(403)
})

test('sources that are unknown, not connected or the same twice are refused', async () => {
  const set = async (uid: string, first: string, second: string | null) =>
    (await app.call(setServiceSources, { body: { uid, sources: { first, second } } }, admin.token))
      .body.message
  expect(await set(GROUND, 'main', 'backup')).toContain(
    'There is no carrier account backup; choose one of: main',
  )
  expect(await set(GROUND, 'main', 'main')).toContain('must be another one than main')
  expect(await set('usps:UNKNOWN', 'main', null)).toContain('does not sell this service')
})

test('the sources of a service count at once, are in the audit, and are not overwritten unseen', async () => {
  const ctx = withTwoAccounts()
  const actor = Number(admin.user._id)
  const both = { first: 'backup', second: 'main' }
  expect(await setSources(ctx, actor, GROUND, both, { first: 'main', second: null })).toMatchObject(
    both,
  )
  expect((await sellerOf(ctx, ctx.database.db, GROUND)).carrier.account).toBe('sandbox:backup')
  await expect(
    setSources(
      ctx,
      actor,
      GROUND,
      { first: 'main', second: null },
      { first: 'main', second: null },
    ),
  ).rejects.toThrow('have changed in the meantime, to backup, then main. Nothing was saved.')
  const { body } = await app.call(
    listAuditEntries,
    { query: { kind: 'prices', page: 1, limit: 10 } },
    admin.token,
  )
  expect(body.entries[0]).toMatchObject({
    text: 'Set the carrier accounts of USPS Ground Advantage from main to backup, then main',
  })
})

test('only an account that purchases wait for can be resumed', async () => {
  const resume = (account: string) => app.call(retryCarrier, { query: { account } }, admin.token)
  expect((await resume('backup')).status).toBe(404)
  expect((await resume('main')).status).toBe(409)
})
