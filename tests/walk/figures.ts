/** What the day earned: from the carrier's books and what the seller was told, and as the product shows it. */
import { expect } from 'vitest'
import { invariants, statement } from '#contract/ledger.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { inCents } from './installation.ts'
import type { Installation } from './installation.ts'

/**
 * All amounts in cents. `told`: the price of each bought label by tracking number. `corrected`: by how much the carrier corrected
 * labels, and what of it the seller paid; `credited`: of that, given back. `refused`: labels that were not sold.
 */
export type Day = {
  admin: SignedInUser
  seller: SignedInUser
  told: ReadonlyMap<string, number>
  corrected: { carrier: number; seller: number; credited: number }
  deposit: number
  refused: number
}

export async function expectBooksToAgree(
  { ask, carrier, dashboard, trade: readTrade, balanceOf }: Installation,
  { admin, seller, told, corrected, deposit, refused }: Day,
): Promise<void> {
  const books = carrier.books()
  expect(books.map(({ trackingNumber }) => trackingNumber).toSorted()).toEqual(
    [...told.keys()].toSorted(),
  )
  const valid = books.filter(({ isVoided }) => !isVoided)
  const charged = sum(books.map(({ trackingNumber }) => told.get(trackingNumber)!))
  const kept = sum(valid.map(({ trackingNumber }) => told.get(trackingNumber)!))
  const revenue = kept + corrected.seller
  const cost = sum(valid.map(({ cents }) => cents)) + corrected.carrier
  expect([charged - kept, books.length - valid.length]).toEqual([699, 1])
  const figures = {
    revenue: revenue / 100,
    carrierCost: cost / 100,
    margin: (revenue - cost) / 100,
  }

  const { week, liabilities, depositsPending, work } = await dashboard(admin)
  expect(week).toMatchObject({
    ...figures,
    labels: books.length,
    voided: 1,
    failed: refused,
    depositsSettled: 200,
    depositCount: 1,
    takenBack: 0,
  })
  expect(liabilities).toEqual({ available: (deposit - revenue) / 100, held: 0 })
  expect(depositsPending).toEqual({ count: 0, amount: 0 })
  expect([work.unknown.count, work.voids.count, work.deposits.count]).toEqual([0, 0, 0])

  const trade = await readTrade(admin)
  expect(trade.totals).toEqual({
    ...figures,
    labels: books.length,
    voided: 1,
    refunded: (charged - kept + corrected.credited) / 100,
  })
  const totalOf = (pick: (one: (typeof trade.services)[number]) => number) =>
    sum(trade.services.map(one => inCents(pick(one))))
  expect([totalOf(one => one.revenue), totalOf(one => one.carrierCost)]).toEqual([revenue, cost])
  expect(trade.customers).toMatchObject([{ user: { _id: seller.user._id }, ...figures }])

  expect(await balanceOf(seller)).toBe(deposit - revenue)
  const params = { userId: seller.user._id }
  const { entries } = await ask(statement, { params, query: {} }, seller)
  expect(sum(entries.map(({ amount }) => inCents(amount)))).toBe(deposit - revenue)
  expect(await ask(invariants, {}, admin)).toEqual({ ok: true, violations: [] })
}

const sum = (amounts: number[]): number => amounts.reduce((total, one) => total + one, 0)
