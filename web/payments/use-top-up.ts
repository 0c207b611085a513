/** A top-up: creates an invoice, opens the payment dialog and checks the invoice when the dialog closes. */
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
  /** The checkout page, when the dialog could not be loaded; else null. */
  page: string | null
}

const SETTINGS_QUERY = {
  queryKey: queryKeys.publicSettings(),
  queryFn: () => send(publicSettings, {}),
  staleTime: Infinity,
}

export function useTopUp() {
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  const [invoice, setInvoice] = useState<OpenInvoice | null>(null)
  const [busy, setBusy] = useState(false)
  const { data: settings } = useQuery(SETTINGS_QUERY)
  const source = settings?.paymentScript
  // Loaded with the page, so that the button does not wait for it.
  useQuery({
    queryKey: ['payment-script', source],
    queryFn: async () => Boolean(await loadBtcpay(source!)),
    enabled: source !== undefined,
    staleTime: Infinity,
    retry: false,
  })

  const refreshDeposits = () => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.deposits(userId) })
    void refreshUser()
  }

  const onDialogClosed = async (id: string) => {
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
      // The list below reloads anyway, and the server checks open invoices on its own.
    }
    refreshDeposits()
  }

  const openDialog = async (id: string, page: string) => {
    try {
      // A fast click comes before the page's own query has its answer.
      const { paymentScript } = await queryClient.ensureQueryData(SETTINGS_QUERY)
      const btcpay = await loadBtcpay(paymentScript)
      btcpay.onModalWillLeave(() => void onDialogClosed(id))
      btcpay.onModalReceiveMessage(message => invoiceStatusFrom(message) && refreshDeposits())
      setInvoice({ id, paid: false, page: null })
      btcpay.showInvoice(id)
    } catch {
      setInvoice({ id, paid: false, page })
    }
  }

  const pay = async () => {
    setBusy(true)
    try {
      const created = await send(topUp, { params: { userId } })
      await openDialog(created.id, created.checkoutLink)
    } catch (reason) {
      // Required: no message, only the busy state ends (docs/requirements.md#payments).
      console.error('No invoice', reason)
    } finally {
      setBusy(false)
    }
    refreshDeposits()
  }

  return { pay, busy, invoice, sandbox: settings?.sandbox.payments ?? false }
}
