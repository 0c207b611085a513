import { walletTrend } from '#contract/ledger.ts'
import { dollars } from '#contract/money.ts'
import { checkServiceCosts, previewPrices } from '#contract/price-tables.ts'
import {
  balanceReport,
  costReport,
  destinationReport,
  runwayReport,
  salesReport,
  taskReport,
  tradeReport,
} from '#contract/reports.ts'
import type { Sales as WireSales, Trade as WireTrade } from '#contract/reports.ts'
import { personWire } from '#server/accounts/wire.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { assertQuotable } from '#server/catalogue/price-drafts.ts'
import { ownerOf } from '#server/catalogue/price-table-routes.ts'
import type { Router } from '#server/platform/http/router.ts'
import { checkCosts } from './cost-check.ts'
import { readPoundCosts } from './costs-service.ts'
import type { PoundCost } from './costs-store.ts'
import { previewPriceSource } from './impact-service.ts'
import { daysLeft, totalOf, tradeOf } from './rules.ts'
import type { Figures } from './rules.ts'
import type { ReadRunways } from './runway.ts'
import { balanceCurveOf, destinationsOf, salesOf, tasksOf, walletTrendOf } from './service.ts'
import type { Sales } from './service.ts'
import { readTrade } from './trade-service.ts'
import { moment, paceWire, runwayWire } from './wire.ts'

export function registerReportRoutes(router: Router, ctx: CarrierContext): void {
  router.handle(previewPrices, ({ body }) => {
    assertQuotable(ctx.carrier, body.source)
    return previewPriceSource(ctx.database.db, ownerOf(body.userId), body.source)
  })

  router.handle(checkServiceCosts, ({ body }) => checkCosts(ctx, body.uid))
  registerSellerReportRoutes(router, ctx)
  registerTaskRoutes(router, ctx)
  registerTradeRoutes(router, ctx)
}

function registerSellerReportRoutes(router: Router, ctx: CarrierContext): void {
  router.handle(walletTrend, async ({ params, query }) => {
    const days = await walletTrendOf(ctx, Number(params.userId), query)
    return {
      days: days.map(({ day, deposited, spent }) => ({
        day,
        deposited: dollars(deposited),
        spent: dollars(spent),
      })),
    }
  })

  router.handle(salesReport, async ({ params, query }) =>
    salesReportWire(await salesOf(ctx, Number(params.userId), query)),
  )

  router.handle(destinationReport, async ({ params, query }) => {
    const { from, states } = await destinationsOf(ctx, Number(params.userId), query)
    return {
      from: moment(from),
      states,
      labels: states.reduce((sum, { labels }) => sum + labels, 0),
    }
  })

  router.handle(balanceReport, async ({ params, query }) => {
    const curve = await balanceCurveOf(ctx, Number(params.userId), query)
    const { from, available, held, points, deposits, pace } = curve
    return {
      from: moment(from),
      balance: dollars(available),
      held: dollars(held),
      points: points.map(point => ({
        at: moment(point.at),
        balance: dollars(point.available),
        held: dollars(point.held),
      })),
      deposits: deposits.map(({ at, amount }) => ({ at: moment(at), amount: dollars(amount) })),
      pace: pace && paceWire(pace),
      daysLeft: pace && daysLeft(available, pace),
    }
  })
}

function registerTaskRoutes(router: Router, ctx: CarrierContext): void {
  router.handle(taskReport, async ({ params }) => {
    const { failed, open, lowBalance } = await tasksOf(ctx, Number(params.userId))
    return {
      failedBatches: {
        count: failed.count,
        labels: failed.labels,
        batches: failed.batches.map(({ batchId, name, labels, createdAt }) => ({
          orderId: String(batchId),
          name,
          labels,
          createdAt: createdAt.toISOString(),
        })),
      },
      openInvoices: {
        count: open.count,
        invoices: open.invoices.map(({ invoiceId, paid, createdAt, expiresAt }) => ({
          invoiceId,
          paid: dollars(paid),
          createdAt: createdAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        })),
      },
      lowBalance: lowBalance && {
        balance: dollars(lowBalance.available),
        daysLeft: daysLeft(lowBalance.available, lowBalance.pace),
        pace: paceWire(lowBalance.pace),
      },
    }
  })
}

function registerTradeRoutes(router: Router, ctx: CarrierContext): void {
  router.handle(tradeReport, async ({ query }) => {
    const trade = await readTrade(ctx, query)
    const { reasons, total } = trade.failures
    const listed = reasons.reduce((sum, { count }) => sum + count, 0)
    return {
      from: moment(trade.from),
      days: trade.days.map(({ date, figures }) => ({ day: date, ...tradeWire(figures) })),
      totals: tradeWire(trade.totals),
      services: trade.services.map(({ uid, name, figures }) => ({
        service: uid,
        name,
        ...tradeWire(figures),
      })),
      customers: trade.customers.map(({ user, ...figures }) => ({
        user: personWire(user),
        ...tradeWire(figures),
      })),
      failures: { count: total, reasons, otherCount: total - listed },
      adjustments: { up: dollars(trade.adjustments.up), down: dollars(trade.adjustments.down) },
      losses: { labels: trade.losses.labels, lost: dollars(trade.losses.lost) },
    }
  })

  router.handle(costReport, async () => ({ services: costsWire(await readPoundCosts(ctx)) }))
}

export function registerRunwayRoutes(router: Router, readRunways: ReadRunways): void {
  router.handle(runwayReport, async () => ({
    accounts: (await readRunways()).map(runway => ({
      name: runway.name,
      runway: runwayWire(runway),
    })),
  }))
}

const costsWire = (costs: readonly PoundCost[]) =>
  [...Map.groupBy(costs, ({ serviceUid }) => serviceUid)].map(([service, ofService]) => ({
    service,
    labels: ofService.reduce((sum, { labels }) => sum + labels, 0),
    costs: ofService.map(({ pounds, labels, cost }) => ({ pounds, labels, cost: dollars(cost) })),
  }))

const salesWire = ({ labels, charged, voided, refunded }: Figures): WireSales => ({
  labels,
  charged: dollars(charged),
  voided,
  refunded: dollars(refunded),
})

const salesReportWire = ({ days, sales, services, totals }: Sales) => ({
  from: moment(days[0]!.at),
  days: days.map(({ date }, index) => {
    const ofDay = sales.filter(({ day }) => day === index)
    return {
      day: date,
      ...salesWire(totalOf(ofDay)),
      services: ofDay.map(({ serviceUid, ...figures }) => ({
        service: serviceUid,
        ...salesWire(figures),
      })),
    }
  }),
  services: services.map(({ uid, name, figures }) => ({
    service: uid,
    name,
    ...salesWire(figures),
  })),
  totals: salesWire(totals),
})

const tradeWire = (figures: Figures): WireTrade => {
  const { revenue, carrierCost, margin } = tradeOf(figures)
  return {
    labels: figures.labels,
    voided: figures.voided,
    refunded: dollars(figures.refunded),
    revenue: dollars(revenue),
    carrierCost: dollars(carrierCost),
    margin: dollars(margin),
  }
}
