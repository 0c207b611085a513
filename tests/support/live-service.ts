/** A service whose prices are the carrier's, on a test's server. */
import { randomUUID } from 'node:crypto'
import { afterEach, expect } from 'vitest'
import { cents } from '#contract/money.ts'
import type { PriceRuleInput } from '#contract/price-rules.ts'
import { changePrices, previewPrices } from '#contract/price-tables.ts'
import type { PricePreview, PriceSource } from '#contract/price-tables.ts'
import type { TestApp, TestUser } from './app.ts'

export const LIVE_UID = 'usps:PRIORITY_MAIL'

/** Cost + 20% + $0.50, up to a price that ends in 9. */
const liveRule = (more: Partial<PriceRuleInput> = {}): PriceSource => ({
  kind: 'rule',
  uid: LIVE_UID,
  rule: { percent: 20, fixed: 0.5, floor: 0, rounding: 'nine', live: true, ...more },
})

/** Sets the prices of a preview, which it returns. */
export async function setPrices(
  app: TestApp,
  admin: TestUser,
  source: PriceSource,
  userId?: string,
): Promise<PricePreview> {
  const preview = await app.call(previewPrices, { body: { source, userId } }, admin.token)
  const { seen } = preview.body
  const body = { source, userId, seen, requestId: randomUUID(), reason: 'new contract' }
  const set = await app.call(changePrices, { body }, admin.token)
  expect(set.status, set.body.message).toBe(200)
  return preview.body
}

/** The carrier quotes its own prices for USPS Priority Mail, until `costs` sets others for one test. */
export async function withLiveService(app: TestApp) {
  const admin = await app.admin()
  const { owner } = app.database
  await setPrices(app, admin, liveRule())
  afterEach(async () => {
    app.carrier.quotes = null
    app.carrier.losesResponses = false
    await owner.pool.query('delete from carrier_quote')
    await owner.pool.query('delete from carrier_budget')
  })
  return {
    admin,
    costs(dollars: number): void {
      app.carrier.quotes = { ok: true, costCents: cents(Math.round(dollars * 100)) }
    },
    /** All quotes become 24 hours older. */
    aDayPasses: () =>
      owner.pool.query(
        `update carrier_quote set asked_at = asked_at - interval '24 hours', expires_at = expires_at - interval '24 hours'`,
      ),
    async customer(): Promise<TestUser> {
      const user = await app.register()
      await app.creditDollars(user.user._id, 1_000)
      return user
    },
  }
}
