import { Fragment, useState } from 'react'
import type { ReactNode } from 'react'
import type { AdminUser } from '#contract/accounts.ts'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { countText, numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { poundsText, sortPriceRanges } from '#contract/price-ranges.ts'
import type { ServiceTotal } from '#contract/reports.ts'
import { CostFigure, MarginFigure } from '#web/catalogue/admin/MarginText.tsx'
import { tableWireText } from '#web/catalogue/admin/table-text.ts'
import { texts as serviceTexts } from '#web/catalogue/admin/texts.ts'
import { SALES_DAYS, useServiceCosts } from '#web/catalogue/admin/use-costs.ts'
import { useUserServices } from '#web/catalogue/admin/use-services.ts'
import { UserServicesOverlay } from '#web/catalogue/admin/UserServicesOverlay.tsx'
import type { PoundCost, PriceStep } from '#web/charts/steps.ts'
import { LabelsChart } from '#web/dashboard/LabelsChart.tsx'
import { useSalesReport } from '#web/dashboard/use-reports.ts'
import { Button } from '#web/ui/Button.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { moneyText } from '#web/ui/money-text.ts'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { Money, TwoLines } from '#web/ui/Value.tsx'
import { LookPriceHistory } from './LookPriceHistory.tsx'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const t = texts.services
const PAGE_SIZE = 10
const CHART_PX = 200

/** What the user can buy and at which prices, with what is hidden from them, and what they bought by day. */
export function LookServices({ user }: { user: AdminUser }) {
  const { list, isDefault, failed, retry, actions } = useUserServices(user._id)
  const { data: sales } = useSalesReport(SALES_DAYS)
  const paging = usePaging({ total: list?.length, size: PAGE_SIZE })
  const phone = useIsPhone()
  const [isChanging, setChanging] = useState(false)
  const page = rowsOfPage(list, paging)
  const limit = commonLimit(list ?? [])
  const salesOf = ({ uid }: ConfiguredService): ServiceSales | null => {
    if (!sales) return null
    const found = sales.services.find(({ service }) => service === uid)
    return { labels: found?.labels ?? 0, revenue: found ? revenueOf(found) : 0 }
  }
  return (
    <>
      <ListTable
        title={texts.part.services}
        note={
          list && (
            <DotLine
              parts={[
                isDefault ? t.defaults : t.own,
                limit !== null && t.allUpTo(limit),
                !phone && soldText(totalOf(list.map(salesOf))),
              ]}
            />
          )
        }
        columns={columnsOf(limit, salesOf)}
        rows={page}
        action={<Button onClick={() => setChanging(true)}>{t.change}</Button>}
        rowKey={({ _id }) => _id}
        paging={paging}
        loadingText={serviceTexts.loading}
        empty={{ title: texts.none }}
        errorNotice={failed && <LoadErrorNotice onRetry={retry}>{t.failed}</LoadErrorNotice>}
        card={service => ({
          title: service.name,
          details: [
            limitText(service, limit),
            soldText(salesOf(service)),
            <CardMargins key="margins" service={service} />,
          ],
          aside: [
            <Prices key="prices" service={service} limit={limit} />,
            <SaleState key="state" service={service} />,
          ],
        })}
      />
      {sales && sales.totals.labels > 0 && <LabelsChart days={SALES_DAYS} heightPx={CHART_PX} />}
      {page && page.length > 0 && <LookPriceHistory services={page} versions={actions.versions} />}
      {isChanging && <UserServicesOverlay user={user} onClose={() => setChanging(false)} />}
    </>
  )
}

/** Revenue: charged less refunded, in dollars. */
type ServiceSales = { labels: number; revenue: number }

/** Null until all of them are known. */
function totalOf(sales: readonly (ServiceSales | null)[]): ServiceSales | null {
  const known = sales.filter(each => each !== null)
  if (known.length < sales.length) return null
  return {
    labels: known.reduce((sum, { labels }) => sum + labels, 0),
    revenue: known.reduce((sum, { revenue }) => sum + revenue, 0),
  }
}

const revenueOf = ({ charged, refunded }: ServiceTotal): number =>
  Math.round((charged - refunded) * 100) / 100

/** The heaviest parcel of every service, where it is the same and each of them has prices up to it; else null. */
function commonLimit(services: readonly ConfiguredService[]): number | null {
  const [first] = services
  const isCommon = services.every(
    ({ maxWeight, prices }) =>
      maxWeight === first!.maxWeight
      && Math.max(0, ...prices.map(({ toWeight }) => toWeight)) === maxWeight,
  )
  return first && isCommon ? first.maxWeight : null
}

const limitText = ({ maxWeight }: ConfiguredService, common: number | null): string | null =>
  common === null ? serviceTexts.upTo(maxWeight) : null

const soldText = (sales: ServiceSales | null): string | null => {
  if (!sales) return null
  if (sales.labels === 0) return t.noneSold(SALES_DAYS)
  return t.sold(countText(sales.labels, t.label), moneyText(sales.revenue), SALES_DAYS)
}

/** `limit`: of all services, which the list says once. */
type PricesProps = { service: ConfiguredService; limit: number | null }

/** A line for each range of weights, or one for a table. */
function Prices({ service: { prices, table }, limit }: PricesProps) {
  if (table) return tableWireText(table)
  if (prices.length === 0) return t.noPrices
  const isOnly = prices.length === 1 && limit !== null
  return (
    <span className={styles.stack}>
      {sortPriceRanges(prices).map(({ fromWeight: from, toWeight: to, price }) => (
        <span key={from} className={styles.price}>
          <strong className={styles.name}>{usdFromDollars(price)}</strong>
          {!isOnly && <span className={styles.range}>{poundsText({ from, to })}</span>}
        </span>
      ))}
    </span>
  )
}

type ByPriceProps = {
  service: ConfiguredService
  /** What to show of a price whose costs are known; `costs` are of the whole service. */
  figure: (step: PriceStep, costs: readonly PoundCost[]) => ReactNode
  /** Where the carrier's cost is known at no weight. */
  unknown: ReactNode
}

/** A line for each price, in the order of the prices. */
function ByPrice({ service: { uid, maxWeight, prices, table }, figure, unknown }: ByPriceProps) {
  const { costs, state } = useServiceCosts(uid)
  if (table || prices.length === 0) return null
  if (costs.length === 0 && state === 'ready') return unknown
  return (
    <span className={styles.stack}>
      {sortPriceRanges(prices).map(({ fromWeight: from, toWeight, price }) => (
        <Fragment key={from}>
          {figure({ from, to: Math.min(toWeight, maxWeight), price }, costs)}
        </Fragment>
      ))}
    </span>
  )
}

const Costs = ({ service }: { service: ConfiguredService }) => (
  <ByPrice
    service={service}
    unknown={<span className={styles.range}>{serviceTexts.margin.unknownFigure}</span>}
    figure={(step, costs) => <CostFigure step={step} costs={costs} />}
  />
)

/** What is left of each price after the carrier's cost. */
const Margins = ({ service }: { service: ConfiguredService }) => (
  <ByPrice
    service={service}
    unknown={t.none}
    figure={(step, costs) => <MarginFigure step={step} costs={costs} />}
  />
)

/** In a card, which has no column heads. */
const CardMargins = ({ service }: { service: ConfiguredService }) => (
  <ByPrice
    service={service}
    unknown={serviceTexts.margin.unknown}
    figure={(step, costs) => (
      <DotLine
        className={styles.cardMargin}
        parts={[
          <Fragment key="cost">
            {t.cardCost} <CostFigure step={step} costs={costs} />
          </Fragment>,
          <Fragment key="margin">
            {t.cardMargin} <MarginFigure step={step} costs={costs} />
          </Fragment>,
        ]}
      />
    )}
  />
)

function SaleState({ service: { status, enabled } }: { service: ConfiguredService }) {
  if (!status) return <StatusPill tone="red">{t.vanished}</StatusPill>
  return enabled ? (
    <StatusPill tone="green">{t.enabled}</StatusPill>
  ) : (
    <StatusPill tone="neutral">{t.disabled}</StatusPill>
  )
}

const columnsOf = (
  limit: number | null,
  salesOf: (service: ConfiguredService) => ServiceSales | null,
): Column<ConfiguredService>[] => [
  {
    head: t.name,
    share: 24,
    cell: service => (
      <TwoLines
        first={<span className={styles.name}>{service.name}</span>}
        second={limitText(service, limit) ?? ''}
      />
    ),
  },
  { head: t.status, share: 12, cell: service => <SaleState service={service} /> },
  { head: t.prices, cell: service => <Prices service={service} limit={limit} />, align: 'end' },
  { head: t.cost, share: 15, cell: service => <Costs service={service} />, align: 'end' },
  { head: t.margin, share: 13, cell: service => <Margins service={service} />, align: 'end' },
  {
    head: t.labels(SALES_DAYS),
    share: 12,
    cell: service => {
      const sales = salesOf(service)
      return sales ? numberText(sales.labels) : t.none
    },
    align: 'end',
  },
  {
    head: t.revenue(SALES_DAYS),
    share: 13,
    cell: service => {
      const sales = salesOf(service)
      return sales ? <Money dollars={sales.revenue} /> : t.none
    },
    align: 'end',
  },
]
