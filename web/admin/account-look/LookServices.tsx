import type { AdminUser } from '#contract/accounts.ts'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { usdFromDollars } from '#contract/money.ts'
import { poundsText, sortPriceRanges } from '#contract/price-ranges.ts'
import { MarginText } from '#web/catalogue/admin/MarginText.tsx'
import { tableWireText } from '#web/catalogue/admin/table-text.ts'
import { texts as serviceTexts } from '#web/catalogue/admin/texts.ts'
import { useServiceCosts } from '#web/catalogue/admin/use-costs.ts'
import { useUserServices } from '#web/catalogue/admin/use-services.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const t = texts.services
const PAGE_SIZE = 10

/** What the user can buy and at which prices, with what is hidden from them. */
export function LookServices({ user }: { user: AdminUser }) {
  const { list, isDefault, failed, retry } = useUserServices(user._id)
  const paging = usePaging({ total: list?.length, size: PAGE_SIZE })
  return (
    <ListTable
      title={texts.part.services}
      note={list && (isDefault ? t.defaults : t.own)}
      columns={COLUMNS}
      rows={rowsOfPage(list, paging)}
      rowKey={({ _id }) => _id}
      paging={paging}
      loadingText={serviceTexts.loading}
      empty={{ title: texts.none }}
      errorNotice={failed && <LoadErrorNotice onRetry={retry}>{t.failed}</LoadErrorNotice>}
      card={service => ({
        title: service.name,
        details: [serviceTexts.upTo(service.maxWeight), onlyRange(service)],
        middle: [
          <span key="margins" className={styles.margins}>
            <Margins service={service} />
          </span>,
        ],
        aside: [
          <CardPrices key="prices" service={service} />,
          <SaleState key="state" service={service} />,
        ],
      })}
    />
  )
}

/** A line for each range of weights, or one for a table. */
function Prices({ service: { prices, table } }: { service: ConfiguredService }) {
  if (table) return tableWireText(table)
  if (prices.length === 0) return t.noPrices
  return (
    <span className={styles.stack}>
      {sortPriceRanges(prices).map(({ fromWeight: from, toWeight: to, price }) => (
        <span key={from}>
          <strong className={styles.name}>{usdFromDollars(price)}</strong>
          <span className={styles.range}>{poundsText({ from, to })}</span>
        </span>
      ))}
    </span>
  )
}

/** The weights of a service's only price; null where they are all that the service takes. */
function onlyRange({ prices, table, maxWeight }: ConfiguredService): string | null {
  const [range] = prices
  if (table || !range || prices.length > 1) return null
  const { fromWeight: from, toWeight: to } = range
  return from <= 1 && to >= maxWeight ? null : poundsText({ from, to })
}

/** The only price stands alone, since its weights are in the card's details. */
function CardPrices({ service }: { service: ConfiguredService }) {
  const { prices, table } = service
  const [range] = prices
  if (table || !range || prices.length > 1) return <Prices service={service} />
  return <strong className={styles.name}>{usdFromDollars(range.price)}</strong>
}

/** What is left of each price after the carrier's cost, in the order of the prices. */
function Margins({ service: { uid, maxWeight, prices, table } }: { service: ConfiguredService }) {
  const { costs } = useServiceCosts(uid)
  if (table || prices.length === 0) return null
  return (
    <span className={styles.stack}>
      {sortPriceRanges(prices).map(({ fromWeight: from, toWeight, price }) => (
        <MarginText
          key={from}
          step={{ from, to: Math.min(toWeight, maxWeight), price }}
          costs={costs}
        />
      ))}
    </span>
  )
}

function SaleState({ service: { status, enabled } }: { service: ConfiguredService }) {
  if (!status) return <StatusPill tone="red">{t.vanished}</StatusPill>
  return enabled ? (
    <StatusPill tone="green">{t.forSale}</StatusPill>
  ) : (
    <StatusPill tone="neutral">{t.off}</StatusPill>
  )
}

const COLUMNS: Column<ConfiguredService>[] = [
  { head: t.name, cell: ({ name }) => <span className={styles.name}>{name}</span> },
  { head: t.shown, cell: service => <SaleState service={service} /> },
  { head: t.limit, cell: ({ maxWeight }) => serviceTexts.upTo(maxWeight) },
  { head: t.prices, cell: service => <Prices service={service} />, align: 'end' },
  { head: t.margin, cell: service => <Margins service={service} />, align: 'end' },
]
