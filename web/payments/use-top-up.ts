/** A top-up: creates an invoice, opens the payment dialog and follows the invoice until it ends. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { checkInvoice, topUp } from '#contract/payments.ts'
import type { Invoice } from '#contract/payments.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { PUBLIC_SETTINGS_QUERY, usePublicSettings } from '#web/client/public-settings.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { refreshUser, useIsSupport, useUser } from '#web/client/session.ts'
import { isFocusLost } from '#web/ui/use-return-focus.ts'
import { loadBtcpay, invoiceStatusFrom } from './btcpay.ts'
import { isDepositOpen } from './deposit-appearance.ts'
import { checkoutPage } from './invoice-steps.ts'
import { useRecentDeposits } from './use-recent-deposits.ts'

/** Element id of the button that opens the dialog again. */
export const PAY_INVOICE_ID = 'pay-invoice'
export const PAYMENT_ID = 'payment'

/** Where the focus is lost, it goes to the button that pays, or to the payment, which has none once it is seen. */
export function focusPayment(): void {
  if (isFocusLost())
    (document.getElementById(PAY_INVOICE_ID) ?? document.getElementById(PAYMENT_ID))?.focus()
}

/** How often an open invoice is looked up while the page is in view. */
const FOLLOW_MS = 4_000

export function useTopUp() {
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  /** The invoice whose dialog could not be loaded. */
  const [withoutDialog, setWithoutDialog] = useState<string | null>(null)
  const labelPrice = useCheapestPrice()
  const { data: settings } = usePublicSettings()
  const source = settings?.paymentScript
  // Loaded with the page, so that the button does not wait for it.
  useQuery({
    queryKey: ['payment-script', source],
    queryFn: async () => Boolean(await loadBtcpay(source!)),
    enabled: source !== undefined,
    staleTime: Infinity,
    retry: false,
  })
  const { invoice, follow, refresh } = useFollowedInvoice()

  const openDialog = async ({ id }: Invoice) => {
    try {
      // A fast click comes before the page's own query has its answer.
      const { paymentScript } = await queryClient.ensureQueryData(PUBLIC_SETTINGS_QUERY)
      const btcpay = await loadBtcpay(paymentScript)
      btcpay.onModalWillLeave(() => {
        refresh(id)
        // The button that made the invoice is gone; the one that pays it is in the invoice's card.
        setTimeout(focusPayment)
      })
      btcpay.onModalReceiveMessage(message => invoiceStatusFrom(message) && refresh(id))
      setWithoutDialog(null)
      btcpay.showInvoice(id, { labelPrice })
    } catch {
      setWithoutDialog(id)
    }
  }

  /** `amount` in dollars. `onCreated`: there is an invoice, and its dialog opens. */
  const pay = async (amount: number, onCreated: () => void) => {
    setBusy(true)
    try {
      const created = await send(topUp, { params: { userId }, query: { amount } })
      follow(created)
      onCreated()
      await openDialog(created)
    } catch (reason) {
      // Required: no message, only the busy state ends (docs/requirements.md#payments).
      console.error('No invoice', reason)
    } finally {
      setBusy(false)
    }
    void queryClient.invalidateQueries({ queryKey: queryKeys.deposits(userId) })
  }

  return {
    pay,
    busy,
    invoice,
    page: invoice ? checkoutPage(invoice, withoutDialog) : null,
    /** Opens the dialog of an invoice again. */
    openDialog,
    sandbox: settings?.sandbox.payments ?? false,
  }
}

type FollowedInvoice = {
  invoice: Invoice | undefined
  follow: (invoice: Invoice) => void
  /** Looks the invoice up now. */
  refresh: (id: string) => void
}

/**
 * The invoice of this visit, or the user's newest open one, until the page is left. An administrator
 * who is signed in as the user follows only the former: a look-up is an act that the audit records.
 */
function useFollowedInvoice(): FollowedInvoice {
  const { _id: userId } = useUser()
  const queryClient = useQueryClient()
  const isSupport = useIsSupport()
  const [id, setId] = useState<string | null>(null)
  const { data: deposits } = useRecentDeposits()
  const open = deposits?.find(({ status }) => isDepositOpen(status))
  if (id === null && open && !isSupport) setId(open.invoiceId)
  const { data: invoice } = useQuery({
    queryKey: queryKeys.invoice(userId, id ?? ''),
    queryFn: () => send(checkInvoice, { params: { id: id! } }),
    enabled: id !== null,
    staleTime: FOLLOW_MS,
    refetchInterval: ({ state }) =>
      !isSupport && state.data && isDepositOpen(state.data.status) ? FOLLOW_MS : false,
  })
  const refreshDeposits = useEffectEvent(() => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.deposits(userId) })
    void refreshUser()
  })
  const progress =
    invoice && `${invoice.id} ${invoice.status} ${invoice.amount} ${invoice.credited}`
  useEffect(() => {
    if (progress) refreshDeposits()
  }, [progress])
  return {
    invoice,
    follow(created) {
      queryClient.setQueryData(queryKeys.invoice(userId, created.id), created)
      setId(created.id)
    },
    refresh: of => void queryClient.invalidateQueries({ queryKey: queryKeys.invoice(userId, of) }),
  }
}
