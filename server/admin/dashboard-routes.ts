import type { BooksMonth as WireBooksMonth, DashboardPeriod, VoidedScan } from '#contract/admin.ts'
import { booksByMonth, getAdminDashboard, listVoidedScans } from '#contract/admin.ts'
import { listBatchFileFailures, rebuildBatchFiles } from '#contract/batches.ts'
import { retryCarrier } from '#contract/carriers.ts'
import { dollars } from '#contract/money.ts'
import { personWire } from '#server/accounts/wire.ts'
import { rebuildFiles } from '#server/batches/files.ts'
import { namesOfCarrierAccounts } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { countOpenInOtherAccounts } from '#server/orders/service.ts'
import type { OtherAccountLabels } from '#server/orders/service.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { Reader } from '#server/platform/local-days.ts'
import { findPausedAccount, retryCarrierAccount } from '#server/purchasing/retry-carrier-account.ts'
import type { BooksMonth } from './dashboard-rules.ts'
import {
  filesProblemsOf,
  missingSetup,
  readBooks,
  readDashboard,
  voidedScansOf,
} from './dashboard-service.ts'
import type { PeriodSummary } from './dashboard-service.ts'
import type { Backlog, FilesProblemRow } from './dashboard-store.ts'
import type { VoidedScanRow } from './voided-scans-store.ts'

export function registerDashboardRoutes(
  router: Router,
  ctx: LabelContext,
  answers: LongAnswers,
): void {
  router.handle(booksByMonth, ({ query }) => answerBooks(ctx, query))
  router.handle(getAdminDashboard, async ({ query }) => {
    const { periods, liabilities, pending, work, users } = await readDashboard(ctx, query)
    const pause = await findPausedAccount(ctx)
    return {
      periods: periods.map(periodWire),
      liabilities: { available: dollars(liabilities.available), held: dollars(liabilities.held) },
      depositsPending: { count: pending.count, amount: dollars(pending.amount) },
      work: {
        unknown: backlogWire(work.unknown),
        files: backlogWire(work.files),
        deposits: backlogWire(work.deposits),
        voids: backlogWire(work.voids),
        mails: backlogWire(work.mails),
        scans: backlogWire(work.scans),
        disputes: backlogWire(work.disputes),
        losses: {
          ...backlogWire(work.losses),
          refused: work.losses.refused,
          lost: dollars(work.losses.lost),
          newest: work.losses.newest === null ? null : String(work.losses.newest),
        },
        elsewhere: elsewhereWire(
          await countOpenInOtherAccounts(ctx.database.db, namesOfCarrierAccounts(ctx)),
        ),
      },
      carrierProblem: pause?.since
        ? {
            cause: pause.needsAdministrator ? ('losses' as const) : ('carrier' as const),
            account: pause.name,
            reason: ctx.carrierAccounts ? `${pause.name}: ${pause.reason}` : pause.reason,
            since: pause.since.toISOString(),
          }
        : null,
      setup: await missingSetup(ctx),
      users,
    }
  })

  router.handle(retryCarrier, async ({ query, caller }) => {
    await retryCarrierAccount(ctx, actorIdOf(caller), query.account)
    return { ok: true, message: 'Purchases have resumed' }
  })

  router.handle(listBatchFileFailures, async request => {
    const { page, limit } = request.query
    const { rows, total } = await filesProblemsOf(ctx, page, limit)
    return answers.list(listBatchFileFailures, request, {
      count: rows.length,
      pages: pagesOf(rows, async some => some),
      listName: 'batches',
      wrap: failures => ({ totalCount: total, batches: failures.map(failureWire) }),
    })
  })

  router.handle(listVoidedScans, async ({ query: { page, limit } }) => {
    const { rows, total } = await voidedScansOf(ctx, page, limit)
    return { labels: rows.map(scanWire), totalCount: total }
  })

  router.handle(rebuildBatchFiles, async ({ params, caller }) => {
    await rebuildFiles(ctx, actorIdOf(caller), Number(params.batchId))
    return { ok: true, message: `Rebuilt the files of bulk order ${params.batchId}` }
  })
}

const answerBooks = async (ctx: LabelContext, reader: Reader) => ({
  months: (await readBooks(ctx, reader)).map(booksMonthWire),
})

const booksMonthWire = (month: BooksMonth): WireBooksMonth => ({
  from: month.from.toISOString(),
  labels: month.labels,
  voided: month.voided,
  opening: dollars(month.opening),
  deposits: dollars(month.depositsSettled),
  charged: dollars(month.charged),
  refunded: dollars(month.refunded),
  adjusted: dollars(month.adjusted),
  closing: dollars(month.closing),
  carrierCost: dollars(month.carrierCost),
  margin: dollars(month.margin),
})

const periodWire = (period: PeriodSummary): DashboardPeriod => ({
  days: period.days,
  from: period.from.toISOString(),
  labels: period.labels,
  failed: period.failed,
  voided: period.voided,
  revenue: dollars(period.revenue),
  carrierCost: dollars(period.carrierCost),
  margin: dollars(period.margin),
  failureRate: period.failureRate,
  depositsSettled: dollars(period.depositsSettled),
  depositCount: period.depositCount,
  takenBack: dollars(period.takenBack),
  newUsers: period.newUsers,
})

const failureWire = ({ batchId, user, totalCount, problem, since }: FilesProblemRow) => ({
  batchId: String(batchId),
  user: personWire(user),
  totalCount,
  problem,
  since: since.toISOString(),
})

const scanWire = (row: VoidedScanRow): VoidedScan => ({
  orderId: String(row.orderId),
  user: personWire(row.user),
  trackingNumber: row.trackingNumber,
  status: row.status,
  price: dollars(row.price),
  refundedAt: row.refundedAt?.toISOString() ?? null,
  scannedAt: row.scannedAt.toISOString(),
})

const elsewhereWire = (labels: OtherAccountLabels[]) => ({
  count: labels.reduce((sum, { count }) => sum + count, 0),
  accounts: labels.map(({ account }) => account ?? 'unknown'),
  oldest: labels.flatMap(({ oldest }) => oldest?.toISOString() ?? []).toSorted()[0] ?? null,
})

const backlogWire = ({ count, oldest }: Backlog) => ({
  count,
  oldest: oldest?.toISOString() ?? null,
})
