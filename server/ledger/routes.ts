import { dollars } from '#contract/money.ts'
import { invariants, statement } from '#contract/ledger.ts'
import type { Door } from '#server/platform/http.ts'
import type { House } from '#server/platform/house.ts'
import { statementOf, violations } from './service.ts'

export function ledgerRoutes(door: Door, house: House): void {
  const { db } = house.database

  door.answer(statement, async ({ params, query }) => {
    const { entries, total } = await statementOf(db, Number(params.userId), query.page, query.limit)
    return {
      totalCount: total,
      entries: entries.map(entry => ({
        at: entry.at.toISOString(), kind: entry.kind, amount: dollars(entry.amount), balance: dollars(entry.balance),
        ...(entry.orderId !== null && { orderId: String(entry.orderId) }),
        ...(entry.batchId !== null && { batchId: String(entry.batchId) }),
        ...(entry.invoiceId !== null && { invoiceId: String(entry.invoiceId) }),
        ...(entry.note !== null && { note: entry.note }),
      })),
    }
  })

  door.answer(invariants, async () => {
    const found = await violations(db)
    return { ok: found.length === 0, violations: found }
  })
}
