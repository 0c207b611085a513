import { invariants, statement, statementCsv, walletTrend } from '#contract/ledger.ts'
import { dollars } from '#contract/money.ts'
import { PRODUCT } from '#contract/product.ts'
import type { Context } from '#server/platform/context.ts'
import { cutPages } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { StatementLine } from './rules.ts'
import { findAllViolations, statementCsvParts, statementOf, trendOf } from './service.ts'

export function registerLedgerRoutes(router: Router, ctx: Context, answers: LongAnswers): void {
  const { db } = ctx.database

  router.handle(statement, async request => {
    const { page, limit, filter } = request.query
    const userId = Number(request.params.userId)
    const { entries, older, count, total } = await statementOf(db, userId, page, limit, filter)
    return answers.list(statement, request, {
      count,
      pages: cutPages(entries, older),
      listName: 'entries',
      wrap: some => ({ totalCount: total, entries: some.map(entryWire) }),
    })
  })

  router.handle(statementCsv, async request => {
    const userId = Number(request.params.userId)
    const { first, rest } = await statementCsvParts(db, userId)
    const today = new Date().toISOString().slice(0, 10)
    const body = rest
      ? await answers.stream(request, async sink => {
          await sink.write(Buffer.from(first))
          for await (const part of rest) {
            await request.recheckAccess()
            await sink.write(Buffer.from(part))
          }
        })
      : Buffer.from(first)
    return request.reply
      .type('text/csv; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="${PRODUCT.toLowerCase()}-statement-${today}.csv"`,
      )
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(body)
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

const entryWire = (entry: StatementLine) => ({
  at: entry.at.toISOString(),
  kind: entry.kind,
  amount: dollars(entry.amount),
  balance: dollars(entry.balance),
  ...(entry.orderId !== null && { orderId: String(entry.orderId) }),
  ...(entry.batchId !== null && { batchId: String(entry.batchId) }),
  ...(entry.invoiceId !== null && { invoiceId: String(entry.invoiceId) }),
  ...(entry.round !== null && { round: entry.round }),
  ...(entry.note !== null && { note: entry.note }),
})
