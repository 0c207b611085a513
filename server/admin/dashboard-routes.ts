import type { Period } from '#contract/admin.ts'
import { dashboard, filesProblems, remakeFiles, tryCarrier } from '#contract/admin.ts'
import { dollars } from '#contract/money.ts'
import { personWire } from '#server/accounts/wire.ts'
import type { WithBatches } from '#server/batches/close.ts'
import { remakeFiles as makeAgain } from '#server/batches/files.ts'
import { findRest } from '#server/carriers/budget-store.ts'
import { accountsOf } from '#server/carriers/service.ts'
import { countElsewhere } from '#server/orders/open-store.ts'
import type { Elsewhere } from '#server/orders/open-store.ts'
import { tryAccountNow } from '#server/orders/try-account.ts'
import type { Door } from '#server/platform/http.ts'
import { dashboardOf, filesProblemsOf } from './dashboard-service.ts'
import type { PeriodRead } from './dashboard-service.ts'
import type { Waiting } from './dashboard-store.ts'

export function dashboardRoutes(door: Door, house: WithBatches): void {
  door.answer(dashboard, async ({ query }) => {
    const { periods, liabilities, pending, work, users } = await dashboardOf(house, query.offset)
    const rest = await findRest(house.database.db, house.carrier.account)
    return {
      periods: periods.map(periodWire),
      liabilities: { available: dollars(liabilities.available), held: dollars(liabilities.held) },
      depositsPending: { count: pending.count, amount: dollars(pending.amount) },
      work: {
        unknown: waitingWire(work.unknown),
        files: waitingWire(work.files),
        deposits: waitingWire(work.deposits),
        voids: waitingWire(work.voids),
        elsewhere: elsewhereWire(await countElsewhere(house.database.db, accountsOf(house))),
      },
      carrierProblem:
        rest?.reason && rest.since
          ? { reason: rest.reason, since: rest.since.toISOString() }
          : null,
      users,
    }
  })

  door.answer(tryCarrier, async ({ caller }) => {
    await tryAccountNow(house, caller.actorId ?? caller.userId)
    return { ok: true, message: 'The carrier is asked again' }
  })

  door.answer(filesProblems, async ({ query }) => {
    const { rows, total } = await filesProblemsOf(house, query.page, query.limit)
    return {
      totalCount: total,
      batches: rows.map(({ batchId, user, totalCount, problem, since }) => ({
        batchId: String(batchId),
        user: personWire(user),
        totalCount,
        problem,
        since: since.toISOString(),
      })),
    }
  })

  door.answer(remakeFiles, async ({ params, caller }) => {
    await makeAgain(house, caller.actorId ?? caller.userId, Number(params.batchId))
    return { ok: true, message: `The files of bulk order ${params.batchId} are made` }
  })
}

const periodWire = (period: PeriodRead): Period => ({
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

const elsewhereWire = (labels: Elsewhere[]) => ({
  count: labels.reduce((sum, { count }) => sum + count, 0),
  accounts: labels.map(({ account }) => account ?? 'unknown'),
  oldest: labels.flatMap(({ oldest }) => oldest?.toISOString() ?? []).toSorted()[0] ?? null,
})

const waitingWire = ({ count, oldest }: Waiting) => ({
  count,
  oldest: oldest?.toISOString() ?? null,
})
