/** The last 14 days behind the dashboard's figures: money from the wallet, labels from the orders. */
import { useQuery } from '@tanstack/react-query'
import { walletTrend } from '#contract/ledger.ts'
import { orderTrend } from '#contract/orders.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { trendOf } from './trend.ts'
import type { Trend } from './trend.ts'

type Trends = { deposited: Trend | null, orders: Trend | null, spent: Trend | null }

/** Days are the reader's own. While a trend is not known, or nothing happened, it is null. */
export function useTrends(): Trends {
  const { _id: userId } = useUser()
  const query = { offset: -new Date().getTimezoneOffset() }
  const wallet = useQuery({ queryKey: keys.walletTrend(userId), queryFn: () => send(walletTrend, { params: { userId }, query }) }).data
  const orders = useQuery({ queryKey: keys.orderTrend(userId), queryFn: () => send(orderTrend, { params: { userId }, query }) }).data
  return {
    deposited: trendOf(wallet?.days.map(({ deposited }) => deposited)),
    orders: trendOf(orders?.days.map(day => day.orders)),
    spent: trendOf(wallet?.days.map(({ spent }) => spent)),
  }
}
