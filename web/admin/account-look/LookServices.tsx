import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { AdminUser } from '#contract/accounts.ts'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { usdFromDollars } from '#contract/money.ts'
import { poundsText, sortPriceRanges } from '#contract/price-ranges.ts'
import { MarginFigure } from '#web/catalogue/admin/MarginText.tsx'
import { tableWireText } from '#web/catalogue/admin/table-text.ts'
import { texts as serviceTexts } from '#web/catalogue/admin/texts.ts'
import { useServiceCosts } from '#web/catalogue/admin/use-costs.ts'
import { useUserServices } from '#web/catalogue/admin/use-services.ts'
import { UserServicesOverlay } from '#web/catalogue/admin/UserServicesOverlay.tsx'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { LookPriceHistory } from './LookPriceHistory.tsx'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const t = texts.services
const PAGE_SIZE = 10

/** What the user can buy and at which prices, with what is hidden from them. */
export function LookServices({ user }: { user: AdminUser }) {
  const { list, isDefault, failed, retry, actions } = useUserServices(user._id)
  const isPhone = useIsPhone()
  const paging = usePaging({ total: list?.length, size: PAGE_SIZE })
  const [isChanging, setChanging] = useState(false)
  const page = rowsOfPage(list, paging)
  return (
    <>
      <ListTable
        title={texts.part.services}
        note={
          list && <DotLine parts={[isDefault ? t.defaults : t.own, !isPhone && t.marginNote]} />
        }
        columns={COLUMNS}
        rows={page}
        action={<ChangeButton onClick={() => setChanging(true)} />}
        rowKey={({ _id }) => _id}
        paging={paging}
        loadingText={serviceTexts.loading}
        empty={{ title: texts.none }}
        errorNotice={failed && <LoadErrorNotice onRetry={retry}>{t.failed}</LoadErrorNotice>}
        card={service => ({
          title: service.name,
          details: [serviceTexts.upTo(service.maxWeight), onlyRange(service)],
          middle: [
            <span key="margins" className={styles.cardMargins}>
              {t.margin} <Margins service={service} />
            </span>,
          ],
          aside: [
            <CardPrices key="prices" service={service} />,
            <SaleState key="state" service={service} />,
          ],
        })}
      />
      {page && page.length > 0 && <LookPriceHistory services={page} versions={actions.versions} />}
      {isChanging && <UserServicesOverlay user={user} onClose={() => setChanging(false)} />}
    </>
  )
}

/** On phones an icon, in the line of the title. */
const ChangeButton = ({ onClick }: { onClick: () => void }) =>
  useIsPhone() ? (
    <IconButton name={t.change} large outline onClick={onClick}>
      <IconPencil aria-hidden="true" />
    </IconButton>
  ) : (
    <Button onClick={onClick}>{t.change}</Button>
  )

/** A line for each range of weights, or one for a table. */
function Prices({ service: { prices, table } }: { service: ConfiguredService }) {
  if (table) return tableWireText(table)
  if (prices.length === 0) return t.noPrices
  return (
    <span className={styles.stack}>
      {sortPriceRanges(prices).map(({ fromWeight: from, toWeight: to, price }) => (
        <span key={from} className={styles.price}>
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
        <MarginFigure
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
  { head: t.name, share: 26, cell: ({ name }) => <span className={styles.name}>{name}</span> },
  { head: t.shown, share: 14, cell: service => <SaleState service={service} /> },
  { head: t.limit, share: 14, cell: ({ maxWeight }) => serviceTexts.upTo(maxWeight) },
  { head: t.prices, cell: service => <Prices service={service} />, align: 'end' },
  {
    head: t.margin,
    share: 22,
    cell: service => <Margins service={service} />,
    align: 'end',
  },
]
