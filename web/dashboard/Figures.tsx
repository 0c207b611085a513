/** The four cards: what is there, what came in, what was bought, what it cost. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { availableServices } from '#contract/catalogue.ts'
import { counted, dateText, figure, fromSeconds } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { quote, totalOrders } from '#contract/orders.ts'
import { TREND_DAYS } from '#contract/trend.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { FigureCard, FigureCards, FigureTicket } from '#web/ui/FigureCards.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Sparkline } from '#web/ui/Sparkline.tsx'
import { affordable } from './affordable.ts'
import { texts } from './texts.ts'
import type { Trend } from './trend.ts'
import { useRecentDeposits, useRecentOrders } from './use-recent.ts'
import { useTrends } from './use-trends.ts'
import styles from './Dashboard.module.css'

export function Figures() {
  const user = useUser()
  const { data: recent } = useRecentOrders()
  const orders = useQuery({
    queryKey: keys.totalOrders(user._id),
    queryFn: () => send(totalOrders, { params: { userId: user._id } }),
  })
  const [newest] = recent ?? []
  const bought = recent?.find(({ status }) => status === 'completed')
  const paid = useRecentDeposits().data?.find(({ status }) => status === 'Settled')
  const trends = useTrends()
  const total = orders.data ? (
    figure(orders.data.totalOrders)
  ) : orders.isError ? (
    texts.unknown
  ) : (
    <Skeleton width="var(--space-16)" height="var(--text-figure)" />
  )
  return (
    <FigureCards name={texts.figures}>
      <FigureTicket
        name={texts.balance}
        value={usdFromDollars(user.balance)}
        link={
          <Link to="/main/wallet" className={styles.more}>
            {texts.statement}
          </Link>
        }
      >
        <div className={styles.foot}>
          <Reach userId={user._id} balance={user.balance} />
          <ButtonLink kind="ink" to="/main/deposit">
            {texts.topUp}
          </ButtonLink>
        </div>
      </FigureTicket>
      <Figure
        name={texts.totalDeposit}
        value={usdFromDollars(user.totalDeposit)}
        trend={trends.deposited}
        write={usdFromDollars}
        last={
          paid
          && texts.lastDeposit(usdFromDollars(paid.amount), dateText(fromSeconds(paid.createdTime)))
        }
      />
      <Figure
        name={texts.totalOrders}
        value={total}
        trend={trends.orders}
        write={figure}
        last={newest && texts.lastOrder(dateText(newest.createdAt))}
      />
      <Figure
        name={texts.totalSpent}
        value={usdFromDollars(user.totalSpent)}
        trend={trends.spent}
        write={usdFromDollars}
        last={bought && texts.lastLabel(usdFromDollars(bought.price))}
      />
    </FigureCards>
  )
}

type FigureProps = {
  name: string
  value: ReactNode
  /** The last days, if anything happened in them. */
  trend: Trend | null
  /** Writes a value of the trend. */
  write: (value: number) => string
  /** The newest thing that went into the figure, once it is known; said where there is no trend. */
  last?: string
}

function Figure({ name, value, trend, write, last }: FigureProps) {
  return (
    <FigureCard name={name} value={value}>
      <div className={styles.last}>
        <p>{trend ? texts.inDays(write(trend.sum), TREND_DAYS) : last}</p>
        {trend && (
          <Sparkline
            values={trend.values}
            name={texts.trend(name, TREND_DAYS, write(trend.most), write(trend.today))}
          />
        )}
      </div>
    </FigureCard>
  )
}

/** How many labels the balance pays for, by this user's own cheapest price for one pound; nothing while that is not known. */
function Reach({ userId, balance }: { userId: string; balance: number }) {
  const { data: price } = useQuery({
    queryKey: keys.price(userId, 'cheapest', 1),
    queryFn: () => cheapest(userId),
    staleTime: 60_000,
  })
  const labels = affordable(balance, price)
  if (labels === null) return <p className={styles.reach} />
  const each = usdFromDollars(price!)
  return (
    <p className={styles.reach}>
      {labels > 0 ? texts.enough(counted(labels, texts.label), each) : texts.notEnough(each)}
    </p>
  )
}

/** So many services are asked for their price; more than that tells nothing new. */
const MOST_ASKED = 8

async function cheapest(userId: string): Promise<number | null> {
  const services = await send(availableServices, { params: { userId } })
  const quotes = services.slice(0, MOST_ASKED).map(async ({ uid }) => {
    const shipment = { service_name: uid, package: { package_weight: 1 } }
    return (await send(quote, { body: { userId, shipments: [shipment] } })).totalPrice
  })
  const prices = await Promise.all(quotes)
  return prices.length > 0 ? Math.min(...prices) : null
}
