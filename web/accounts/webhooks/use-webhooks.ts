import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listDeliveries, listWebhooks } from '#contract/webhooks.ts'
import type { Delivery, DeliveryState, Webhook } from '#contract/webhooks.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { toServerTime } from '#web/client/server-clock.ts'
import { useUser } from '#web/client/session.ts'
import { lastFailure, nextTry } from './last-failure.ts'

const REFRESH_MS = 5_000

const isFailing = ({ enabled, failingSince }: Webhook): boolean => enabled && failingSince !== null

/** The user's webhooks, oldest first. */
export function useWebhooks() {
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  const queryKey = queryKeys.webhooks(userId)
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => send(listWebhooks, { params: { userId } }, { signal }),
    // Until it works again, or is switched off.
    refetchInterval: ({ state }) => state.data?.webhooks.some(isFailing) && REFRESH_MS,
  })
  return {
    webhooks: data?.webhooks,
    failed: isError && !data,
    retry: () => void refetch(),
    refresh: () => queryClient.invalidateQueries({ queryKey }),
  }
}

const PAGE_SIZE = 20

/** Newest first; `state` null: all. */
export function useDeliveries(webhookId: string, state: DeliveryState | null) {
  const { _id: userId } = useUser()
  // The next reload of the list would clear the query's error.
  const [moreFailed, setMoreFailed] = useState(false)
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: queryKeys.deliveries(userId, webhookId, state),
      initialPageParam: undefined as string | undefined,
      queryFn: ({ signal, pageParam }) =>
        send(
          listDeliveries,
          {
            params: { userId, webhookId },
            query: { limit: PAGE_SIZE, after: pageParam, ...(state && { state }) },
          },
          { signal },
        ),
      getNextPageParam: page => page.next ?? undefined,
      refetchInterval: REFRESH_MS,
    })
  const nextPage = useRef<ReturnType<typeof fetchNextPage>>(undefined)
  const loadMore = async () => {
    setMoreFailed(false)
    nextPage.current = fetchNextPage()
    setMoreFailed((await nextPage.current).isFetchNextPageError)
  }
  return {
    deliveries: data?.pages.flatMap(page => page.deliveries),
    failed: isError && !data,
    retry: () => void refetch(),
    refresh: async () => {
      // A reload would end the request of the next page.
      await nextPage.current
      await refetch()
    },
    more: hasNextPage ? () => void loadMore() : null,
    loadingMore: isFetchingNextPage,
    moreFailed,
  }
}

/** The newest try that failed and the next one to come, of a webhook whose messages fail. */
export function useFailure({ _id: webhookId, failingSince }: Webhook) {
  const { _id: userId } = useUser()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: queryKeys.lastFailure(userId, webhookId, failingSince),
    queryFn: async ({ signal }) => {
      const deliveries: Delivery[] = []
      const params = { userId, webhookId }
      // Large messages come fewer at a time.
      for (let after: string | undefined; ;) {
        const query = { limit: PAGE_SIZE, after }
        const page = await send(listDeliveries, { params, query }, { signal })
        deliveries.push(...page.deliveries)
        if (page.next === null || deliveries.length >= PAGE_SIZE || lastFailure(deliveries))
          return deliveries
        after = page.next
      }
    },
    enabled: failingSince !== null,
    refetchInterval: REFRESH_MS,
  })
  const now = toServerTime(dataUpdatedAt)
  return {
    /** In ms; goes on while the webhook fails. */
    now,
    last: data ? lastFailure(data) : null,
    next: data ? nextTry(data, now) : null,
  }
}
