import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelDetails } from '#contract/order-details.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { isSameForm, newLabelForm } from './form.ts'
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
 * form. What the user has typed meanwhile stays: null then too.
 */
export function usePrefill(form: LabelForm, fill: (form: LabelForm) => void): PrefillState | null {
  const { _id: userId } = useUser()
  const [params] = useSearchParams()
  const prefill = prefillFrom(params)
  const orderId = prefill?.orderId ?? ''
  const { data, isError } = useQuery({
    queryKey: queryKeys.labelDetails(userId, orderId),
    queryFn: ({ signal }) => send(labelDetails, { params: { orderId } }, { signal }),
    enabled: prefill !== null,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [done, setDone] = useState<{ source: string; isFilled: boolean } | null>(null)
  const filledForm = useRef<LabelForm>(newLabelForm())
  const source = prefill ? `${prefill.kind} ${prefill.orderId}` : ''
  useEffect(() => {
    if (!prefill || !data || done?.source === source) return
    const isFilled = isSameForm(form, newLabelForm()) || isSameForm(form, filledForm.current)
    setDone({ source, isFilled })
    if (!isFilled) return
    filledForm.current = prefilledForm(prefill.kind, data)
    fill(filledForm.current)
  }, [prefill, data, done, source, form, fill])
  if (!prefill || (done?.source === source && !done.isFilled)) return null
  return {
    ...prefill,
    receiver: data?.order.receiver.receiver_name ?? '',
    state: data ? 'filled' : isError ? 'failed' : 'loading',
  }
}
