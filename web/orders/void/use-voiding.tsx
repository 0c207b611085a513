import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { Order } from '#contract/orders.ts'
import { focusedOpener } from '#web/ui/use-return-focus.ts'
import type { BalanceOwner } from './texts.ts'
import { VoidDialog } from './VoidDialog.tsx'

export type VoidDialogOptions = {
  balanceOwner: BalanceOwner
  /** Called after every void, also a failed one: reloads the labels and the balance. */
  refresh: () => Promise<unknown>
}

/** `open` shows the dialog for some labels. `dialog` can be placed anywhere in the page. */
export function useVoidDialog({ balanceOwner, refresh }: VoidDialogOptions): {
  open: (orders: readonly Order[]) => void
  dialog: ReactNode
} {
  const [pendingOrders, setPendingOrders] = useState<readonly Order[] | null>(null)
  const opener = useRef<Element | null>(null)
  const open = (orders: readonly Order[]) => {
    opener.current = focusedOpener()
    setPendingOrders(orders)
  }
  // If the void button is gone, the page title gets the keyboard focus.
  const close = () => {
    setPendingOrders(null)
    requestAnimationFrame(() => {
      const next = opener.current?.isConnected ? opener.current : document.querySelector('h1')
      if (next instanceof HTMLElement) next.focus({ preventScroll: true })
    })
  }
  return {
    open,
    dialog: (
      <VoidDialog
        orders={pendingOrders}
        balanceOwner={balanceOwner}
        refresh={refresh}
        onClose={close}
      />
    ),
  }
}
