/** The last 14 days behind the dashboard's figures: money from the wallet, labels from the orders. */
import { useQuery } from '@tanstack/react-query'
import { walletTrend } from '#contract/ledger.ts'
import { orderTrend } from '#contract/orders.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { trendOf } from './trend.ts'
import type { Trend } from './trend.ts'

type Trends = { deposited: Trend | null; orders: Trend | null; spent: Trend | null }

/** Days are the reader's own. */
const ask = (userId: string) => ({
  params: { userId },
  query: { offset: -new Date().getTimezoneOffset() },
})

/** While a trend is not known, or nothing happened, it is null. */
export function useTrends(): Trends {
  const { _id: userId } = useUser()
  const wallet = useQuery({
    queryKey: keys.walletTrend(userId),
    queryFn: () => send(walletTrend, ask(userId)),
  }).data
  const orders = useQuery({
    queryKey: keys.orderTrend(userId),
    queryFn: () => send(orderTrend, ask(userId)),
  }).data
  return {
    deposited: trendOf(wallet?.days.map(({ deposited }) => deposited)),
    orders: trendOf(orders?.days.map(day => day.orders)),
    spent: trendOf(wallet?.days.map(({ spent }) => spent)),
  }
}
