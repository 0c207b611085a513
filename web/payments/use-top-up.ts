/** From the button to the money in the balance: an invoice, the payment dialog, and a look at the invoice when it closes. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { checkInvoice, topUp } from '#contract/payments.ts'
import { publicSettings } from '#contract/system.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { loadBtcpay, invoiceStatusFrom } from './btcpay.ts'

export type OpenInvoice = {
  id: string
  paid: boolean
  /** Where it can be paid when the dialog cannot be shown in this page; else null. */
  page: string | null
}

export function useTopUp() {
  const { _id: userId } = useUser()
  const queries = useQueryClient()
  const [invoice, setInvoice] = useState<OpenInvoice | null>(null)
  const [busy, setBusy] = useState(false)
  const { data: about } = useQuery({
    queryKey: queryKeys.publicSettings(),
    queryFn: () => send(publicSettings, {}),
    staleTime: Infinity,
  })
  const source = about?.paymentScript
  // Loaded with the page (specification, 2), so that the button does not wait for it.
  useQuery({
    queryKey: ['payment-script', source],
    queryFn: async () => Boolean(await loadBtcpay(source!)),
    enabled: source !== undefined,
    staleTime: Infinity,
    retry: false,
  })

  const look = () => {
    void queries.invalidateQueries({ queryKey: queryKeys.deposits(userId) })
    void refreshUser()
  }

  const left = async (id: string) => {
    try {
      const { status } = await send(checkInvoice, { params: { id } })
      setInvoice(old =>
        old?.id === id
          ? status === 'New' || status === 'Settled'
            ? { ...old, paid: status === 'Settled' }
            : null
          : old,
      )
    } catch {
      // It could not be looked up now; the list below is asked all the same, and the server looks again by itself.
    }
    look()
  }

  const show = async (id: string, page: string) => {
    try {
      const btcpay = await loadBtcpay(source!)
      btcpay.onModalWillLeave(() => void left(id))
      btcpay.onModalReceiveMessage(message => invoiceStatusFrom(message) && look())
      setInvoice({ id, paid: false, page: null })
      btcpay.showInvoice(id)
    } catch {
      setInvoice({ id, paid: false, page })
    }
  }

  const pay = async () => {
    setBusy(true)
    try {
      const made = await send(topUp, { params: { userId } })
      await show(made.id, made.checkoutLink)
    } catch (reason) {
      // No message, only the busy state is cleared (specification, 8); the console knows why.
      console.error('No invoice', reason)
    } finally {
      setBusy(false)
    }
    look()
  }

  return { pay, busy, invoice, sandbox: about?.sandbox.payments ?? false }
}
