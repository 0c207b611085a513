/** The four cards: balance, deposits, orders, spending. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { countText, numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { TREND_DAYS } from '#contract/trend.ts'
import { affordableCount } from '#web/catalogue/affordable.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { listedAmount } from '#web/payments/deposit-appearance.ts'
import { useRecentDeposits } from '#web/payments/use-recent-deposits.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { dateText, secondsToMs } from '#web/ui/date-text.ts'
import { FigureCard, FigureCards, FigureTicket } from '#web/ui/FigureCards.tsx'
import { moneyText } from '#web/ui/money-text.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Sparkline } from '#web/ui/Sparkline.tsx'
import { texts } from './texts.ts'
import { hasSeveralDays } from './trend.ts'
import type { Trend } from './trend.ts'
import { useRecentOrders, useTotalOrders } from './use-recent.ts'
import { useTrends } from './use-trends.ts'
import styles from './Dashboard.module.css'

export function DashboardFigures() {
  const { user, isLook, pathOf } = useShownAccount()
  const { data: recent } = useRecentOrders()
  const orders = useTotalOrders()
  const [newest] = recent ?? []
  const isCountAwaited = orders.data === undefined && !orders.isError
  const bought = recent?.find(({ status }) => status === 'completed')
  const deposits = useRecentDeposits().data
  const paid = deposits?.find(({ status }) => status === 'Settled')
  const trends = useTrends()
  const total = orders.data ? (
    numberText(orders.data.totalOrders)
  ) : orders.isError ? (
    texts.unknown
  ) : (
    <Skeleton width="var(--space-16)" height="var(--text-title)" />
  )
  return (
    <FigureCards name={texts.figures}>
      <FigureTicket
        name={texts.balance}
        value={usdFromDollars(user.balance)}
        link={
          <Link to={pathOf('/main/wallet') ?? '.'} className={styles.statement}>
            {texts.statement}
          </Link>
        }
      >
        <div className={styles.foot}>
          <AffordableLabels balance={user.balance} />
          {!isLook && (
            <ButtonLink kind="ink" to="/main/deposit">
              {texts.topUp}
            </ButtonLink>
          )}
        </div>
      </FigureTicket>
      <DashboardFigure
        name={texts.totalDeposit}
        value={usdFromDollars(user.totalDeposit)}
        trend={trends.deposited}
        format={usdFromDollars}
        lastText={
          paid
            ? texts.lastDeposit(
                usdFromDollars(listedAmount(paid)),
                dateText(secondsToMs(paid.createdTime)),
              )
            : null
        }
      />
      <DashboardFigure
        name={texts.totalOrders}
        value={total}
        trend={trends.orders}
        format={numberText}
        lastText={
          isCountAwaited ? (
            <Skeleton width="var(--space-24)" />
          ) : newest ? (
            texts.lastOrder(dateText(newest.createdAt))
          ) : (
            orders.data?.totalOrders === 0 && texts.unused.orders
          )
        }
      />
      <DashboardFigure
        name={texts.totalSpent}
        value={usdFromDollars(user.totalSpent)}
        trend={trends.spent}
        format={moneyText}
        lastText={
          bought
            ? texts.lastLabel(usdFromDollars(bought.price))
            : user.totalSpent === 0 && texts.unused.spent
        }
      />
    </FigureCards>
  )
}

type DashboardFigureProps = {
  name: string
  value: ReactNode
  /** Null when nothing happened in the last days. */
  trend: Trend | null
  format: (value: number) => string
  /** The newest entry behind the figure; shown where there is no trend. */
  lastText?: ReactNode
}

function DashboardFigure({ name, value, trend, format, lastText }: DashboardFigureProps) {
  return (
    <FigureCard name={name} value={value}>
      <div className={styles.last}>
        <div>{trend ? texts.inDays(format(trend.sum), TREND_DAYS) : lastText}</div>
        {trend && hasSeveralDays(trend) && (
          <Sparkline
            values={trend.values}
            name={texts.trend(name, TREND_DAYS, format(trend.max), format(trend.today))}
          />
        )}
      </div>
    </FigureCard>
  )
}

/** How many labels the balance pays for at the user's cheapest price for 1 lb. */
function AffordableLabels({ balance }: { balance: number }) {
  const price = useCheapestPrice()
  const labels = affordableCount(balance, price)
  if (price === undefined)
    return (
      <div className={styles.reach}>
        <Skeleton width="calc(2 * var(--space-24))" />
      </div>
    )
  if (labels === null) return <p className={styles.reach} />
  const each = usdFromDollars(price!)
  return (
    <p className={styles.reach}>
      {labels > 0 ? texts.enough(countText(labels, texts.label), each) : texts.notEnough(each)}
    </p>
  )
}
