/** The SKU records of the user. Every action throws what `send` throws. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { addSkus, deleteSku, updateSku } from '#contract/skus.ts'
import type { SkuRecord } from '#contract/skus.ts'
import { skusQuery } from '#web/client/queries.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import type { SkuDraft } from './draft.ts'
import { texts } from './texts.ts'

type SkuListAnswer = { SkuData: SkuRecord[] }

export function useSkus() {
  const { _id: userId } = useShownAccount().user
  const queryClient = useQueryClient()
  const queryKey = queryKeys.skus(userId)
  const { data, isError, refetch } = useQuery({
    ...skusQuery(userId),
    meta: { errorToast: texts.failed.load },
  })

  /** A response that is still under way is from before the change and would undo it on the screen. */
  const show = async (change: (list: SkuRecord[]) => SkuRecord[]): Promise<SkuRecord[]> => {
    await queryClient.cancelQueries({ queryKey })
    const SkuData = change(queryClient.getQueryData<SkuListAnswer>(queryKey)?.SkuData ?? [])
    queryClient.setQueryData<SkuListAnswer>(queryKey, { SkuData })
    return SkuData
  }
  return {
    /** Sorted by SKU; undefined while loading. */
    list: data?.SkuData,
    failed: isError && !data,
    retry: () => void refetch(),
    /** The list, loaded if it is not there yet. */
    load: async () => data?.SkuData ?? (await refetch({ throwOnError: true })).data!.SkuData,
    /** Adds records and replaces known ones with the same SKU. Returns the whole list. */
    add: async (records: readonly (SkuDraft | SkuMeasures)[]) => {
      const { SkuData } = await send(addSkus, {
        params: { userId },
        body: { parsedData: [...records] },
      })
      return show(() => SkuData)
    },
    update: async (id: string, skuData: SkuDraft) => {
      const { sku } = await send(updateSku, { params: { userId, skuId: id }, body: { skuData } })
      return show(list =>
        list.map(old => (old._id === id ? sku : old)).toSorted((a, b) => (a.sku < b.sku ? -1 : 1)),
      )
    },
    remove: async (id: string) => {
      await send(deleteSku, { params: { skuId: id } })
      await show(list => list.filter(({ _id }) => _id !== id))
    },
  }
}

export type Skus = ReturnType<typeof useSkus>
