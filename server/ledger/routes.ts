import { Readable } from 'node:stream'
import { invariants, statement, statementCsv, walletTrend } from '#contract/ledger.ts'
import { dollars } from '#contract/money.ts'
import { PRODUCT } from '#contract/product.ts'
import type { Context } from '#server/platform/context.ts'
import type { Router } from '#server/platform/http/router.ts'
import { findAllViolations, statementCsvParts, statementOf, trendOf } from './service.ts'

export function registerLedgerRoutes(router: Router, ctx: Context): void {
  const { db } = ctx.database

  router.handle(statement, async ({ params, query }) => {
    const { entries, total } = await statementOf(
      db,
      Number(params.userId),
      query.page,
      query.limit,
      query.filter,
    )
    return {
      totalCount: total,
      entries: entries.map(entry => ({
        at: entry.at.toISOString(),
        kind: entry.kind,
        amount: dollars(entry.amount),
        balance: dollars(entry.balance),
        ...(entry.orderId !== null && { orderId: String(entry.orderId) }),
        ...(entry.batchId !== null && { batchId: String(entry.batchId) }),
        ...(entry.invoiceId !== null && { invoiceId: String(entry.invoiceId) }),
        ...(entry.round !== null && { round: entry.round }),
        ...(entry.note !== null && { note: entry.note }),
      })),
    }
  })

  router.handle(statementCsv, async ({ params, reply }) => {
    const parts = await statementCsvParts(db, Number(params.userId))
    const today = new Date().toISOString().slice(0, 10)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-length', String(parts.reduce((bytes, part) => bytes + part.length, 0)))
      .header(
        'content-disposition',
        `attachment; filename="${PRODUCT.toLowerCase()}-statement-${today}.csv"`,
      )
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(Readable.from(parts))
  })

  router.handle(walletTrend, async ({ params, query }) => {
    const days = await trendOf(db, Number(params.userId), query.offset)
    return {
      days: days.map(({ day, deposited, spent }) => ({
        day,
        deposited: dollars(deposited),
        spent: dollars(spent),
      })),
    }
  })

  router.handle(invariants, async () => {
    const found = await findAllViolations(ctx.database)
    return { ok: found.length === 0, violations: found }
  })
}
