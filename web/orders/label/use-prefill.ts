import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { labelDetails } from '#contract/order-details.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import type { LabelForm } from './form.ts'
import { prefilledForm, prefillFrom } from './prefill.ts'
import type { PrefillKind } from './prefill.ts'

/** `state`: of loading the earlier label, whose id is `orderId`. */
export type PrefillState = {
  kind: PrefillKind
  orderId: string
  receiver: string
  state: 'loading' | 'filled' | 'failed'
}

/**
 * Fills in the form once from the label that the URL names; null without one. `fill` gets the whole
 * form.
 */
export function usePrefill(fill: (form: LabelForm) => void): PrefillState | null {
  const { _id: userId } = useUser()
  const [params] = useSearchParams()
  const prefill = prefillFrom(params)
  const orderId = prefill?.orderId ?? ''
  const { data, isError } = useQuery({
    queryKey: queryKeys.labelDetails(userId, orderId),
    queryFn: ({ signal }) => send(labelDetails, { params: { orderId } }, { signal }),
    enabled: prefill !== null,
    refetchOnWindowFocus: false,
  })
  const filled = useRef('')
  useEffect(() => {
    if (!prefill || !data) return
    const source = `${prefill.kind} ${data.order._id}`
    if (filled.current === source) return
    filled.current = source
    fill(prefilledForm(prefill.kind, data))
  })
  if (!prefill) return null
  return {
    ...prefill,
    receiver: data?.order.receiver.receiver_name ?? '',
    state: data ? 'filled' : isError ? 'failed' : 'loading',
  }
}
