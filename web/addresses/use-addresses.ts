/** The saved addresses of the user. Every action throws what `send` throws. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  deleteAddress,
  saveAddress,
  setDefaultAddress,
  updateAddress,
} from '#contract/addresses.ts'
import type { AddressForm, SavedAddress } from '#contract/addresses.ts'
import { addressesQuery } from '#web/client/queries.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { texts } from './texts.ts'

export function useAddresses() {
  const { _id: userId } = useShownAccount().user
  const queryClient = useQueryClient()
  const queryKey = queryKeys.addresses(userId)
  const { data, isError, refetch } = useQuery({
    ...addressesQuery(userId),
    meta: { errorToast: texts.failed.load },
  })

  /** Shows a change at once; the list is loaded again too. */
  const show = (change: (list: SavedAddress[]) => SavedAddress[]) => {
    queryClient.setQueryData<typeof data>(
      queryKey,
      old => old && { savedAddress: change(old.savedAddress) },
    )
    void queryClient.invalidateQueries({ queryKey })
  }
  return {
    /** Oldest first; undefined while loading. */
    list: data?.savedAddress,
    failed: isError && !data,
    retry: () => void refetch(),
    add: async (formData: AddressForm): Promise<SavedAddress> => {
      const { address } = await send(saveAddress, { params: { userId }, body: { formData } })
      show(list => [...list.filter(({ _id }) => _id !== address._id), address])
      return address
    },
    update: async (id: string, formData: AddressForm) => {
      const { address } = await send(updateAddress, {
        params: { userId, addressRecordId: id },
        body: { formData },
      })
      show(list => list.map(old => (old._id === id ? address : old)))
    },
    /** Null: none is the default. */
    setDefault: async (id: string | null) => {
      await send(setDefaultAddress, { params: { userId }, body: { id } })
      show(list => list.map(old => ({ ...old, isDefault: old._id === id })))
    },
    remove: async (id: string) => {
      await send(deleteAddress, { params: { userId }, body: { id } })
      show(list => list.filter(({ _id }) => _id !== id))
    },
  }
}

export type Addresses = ReturnType<typeof useAddresses>
