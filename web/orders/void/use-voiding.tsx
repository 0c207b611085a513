import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { Order } from '#contract/orders.ts'
import type { BalanceOwner } from './texts.ts'
import { VoidDialog } from './VoidDialog.tsx'

export type VoidDialogOptions = {
  balanceOwner: BalanceOwner
  /** After every try, also one that failed: brings what shows these labels, and the money, up to date. */
  refresh: () => Promise<unknown>
}

/** `ask` opens the question about some labels; `dialog` has its place anywhere in the page. */
export function useVoidDialog({ balanceOwner, refresh }: VoidDialogOptions): {
  open: (orders: readonly Order[]) => void
  dialog: ReactNode
} {
  const [pendingOrders, setPendingOrders] = useState<readonly Order[] | null>(null)
  const opener = useRef<Element | null>(null)
  const open = (orders: readonly Order[]) => {
    opener.current = document.activeElement
    setPendingOrders(orders)
  }
  // The button of a voided label is gone; whoever works by keyboard goes on at the page's title then, not before the page.
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
