import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Order } from '#contract/orders.ts'
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
  return {
    open: setPendingOrders,
    dialog: (
      <VoidDialog
        orders={pendingOrders}
        balanceOwner={balanceOwner}
        refresh={refresh}
        onClose={() => setPendingOrders(null)}
      />
    ),
  }
}
