import { invariants, statement, statementCsv } from '#contract/ledger.ts'
import { dollars } from '#contract/money.ts'
import { PRODUCT } from '#contract/product.ts'
import { tableFileType } from '#contract/table-files.ts'
import type { TableFormat } from '#contract/table-files.ts'
import type { Context } from '#server/platform/context.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import { nextWire, rangeAfter } from '#server/platform/http/list-range.ts'
import { cutPages, pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { writeWorkbook } from '#server/platform/xlsx.ts'
import { monthRange } from './rules.ts'
import type { StatementLine } from './rules.ts'
import {
  countAhead,
  findAllViolations,
  statementAfter,
  statementOf,
  wholeStatementOf,
} from './service.ts'
import {
  entriesOfMonth,
  STATEMENT_SHEET,
  statementCells,
  statementHead,
  statementLines,
} from './statement-csv.ts'

export function registerLedgerRoutes(router: Router, ctx: Context, answers: LongAnswers): void {
  const { db } = ctx.database

  router.handle(statement, async request => {
    const { page, limit, filter } = request.query
    const month = monthRange(request.query.month)
    const userId = Number(request.params.userId)
    const range = rangeAfter(request.caller, request.query)
    if (range) {
      const { entries, next, total, newer } = await statementAfter(db, userId, range, filter, month)
      await countAhead(ctx.database, userId, newer)
      return answers.list(statement, request, {
        count: entries.length,
        pages: pagesOf(entries, async some => some),
        listName: 'entries',
        wrap: some => ({
          totalCount: total,
          next: nextWire(next),
          entries: some.map(entryWire),
        }),
      })
    }
    const found = await statementOf(db, userId, page, limit, filter, month)
    const { entries, older, count, total } = found
    await countAhead(ctx.database, userId, found.newer)
    return answers.list(statement, request, {
      count,
      pages: cutPages(entries, older),
      listName: 'entries',
      wrap: some => ({ totalCount: total, entries: some.map(entryWire) }),
    })
  })

  router.handle(statementCsv, async request => {
    const { format, month: name } = request.query
    const month = monthRange(name)
    const { first, rest } = await wholeStatementOf(db, Number(request.params.userId))
    async function* pages(): AsyncGenerator<StatementLine[]> {
      yield first
      for await (const entries of rest ?? []) {
        await request.recheckAccess()
        yield entries
      }
    }
    const isShort = format === 'csv' && rest === null && month === null
    const body = isShort
      ? Buffer.from(statementHead() + statementLines(first))
      : await answers.stream(request, sink =>
          writeStatement(sink, format, month === null ? pages() : entriesOfMonth(pages(), month)),
        )
    const time = name ?? new Date().toISOString().slice(0, 10)
    const fileName = `${PRODUCT.toLowerCase()}-statement-${time}.${format}`
    return asFile(request.reply, { type: tableFileType(format), name: fileName }).send(body)
  })

  router.handle(invariants, async () => {
    const found = await findAllViolations(ctx.database)
    return { ok: found.length === 0, violations: found }
  })
}

async function writeStatement(
  sink: Sink,
  format: TableFormat,
  pages: AsyncIterable<StatementLine[]>,
): Promise<void> {
  if (format === 'xlsx') {
    async function* cells() {
      for await (const entries of pages) yield statementCells(entries)
    }
    return writeWorkbook(sink, STATEMENT_SHEET, cells())
  }
  await sink.write(Buffer.from(statementHead()))
  for await (const entries of pages) await sink.write(Buffer.from(statementLines(entries)))
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
  ...(entry.labels !== null && { labels: entry.labels }),
  ...(entry.note !== null && { note: entry.note }),
})
