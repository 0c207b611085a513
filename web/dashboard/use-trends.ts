/** The last 14 days behind the dashboard's figures. */
import { useQuery } from '@tanstack/react-query'
import { walletTrend } from '#contract/ledger.ts'
import { orderTrend } from '#contract/orders.ts'
import { readerClock } from '#web/charts/time-zone.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { trendFromDays } from './trend.ts'
import type { Trend } from './trend.ts'

type Trends = { deposited: Trend | null; orders: Trend | null; spent: Trend | null }

/** Days in the user's time zone. */
const trendRequest = (userId: string) => ({
  params: { userId },
  query: readerClock(),
})

/** A trend is null while loading and when nothing happened. */
export function useTrends(): Trends {
  const { _id: userId } = useShownAccount().user
  const wallet = useQuery({
    queryKey: queryKeys.walletTrend(userId),
    queryFn: () => send(walletTrend, trendRequest(userId)),
  }).data
  const orders = useQuery({
    queryKey: queryKeys.orderTrend(userId),
    queryFn: () => send(orderTrend, trendRequest(userId)),
  }).data
  return {
    deposited: trendFromDays(wallet?.days.map(({ deposited }) => deposited)),
    orders: trendFromDays(orders?.days.map(day => day.orders)),
    spent: trendFromDays(wallet?.days.map(({ spent }) => spent)),
  }
}
