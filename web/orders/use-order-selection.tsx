import type { ReactNode } from 'react'
import { MAX_LABELS_IN_FILE } from '#contract/downloads.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import { MAX_VOIDS_PER_REQUEST } from '#contract/voids.ts'
import { Button } from '#web/ui/Button.tsx'
import type { ListTableProps } from '#web/ui/ListTable.tsx'
import { useSelection } from '#web/ui/use-selection.ts'
import { orderKey, receiverName } from './order-text.ts'
import type { Printable } from './print/print-options.ts'
import { texts as printTexts } from './print/texts.ts'
import { texts } from './texts.ts'
import { texts as voidTexts } from './void/texts.ts'
import { useVoidDialog } from './void/use-voiding.tsx'
import { canVoid, totalPriceDollars } from './void/void-summary.ts'

type OrderSelection = {
  selection: ListTableProps<Order>['selection']
  /** Asks before it voids. */
  openVoid: (orders: readonly Order[]) => void
  voidDialog: ReactNode
}

/**
 * Labels chosen in the list, also on other pages: printed as one file, or voided. The selection ends
 * with a void. `print` opens the print options; `refresh` reloads orders and balance.
 */
export function useOrderSelection(
  shown: readonly Order[] | undefined,
  { print, refresh }: { print: (printable: Printable) => void; refresh: () => Promise<unknown> },
): OrderSelection {
  const selection = useSelection<Order>({
    pageRows: shown,
    keyOf: orderKey,
    canSelect: ({ pdfName }) => pdfName !== null,
    rowLabelFor: order => voidTexts.choose(receiverName(order)),
    selectAllLabel: voidTexts.chooseAll,
  })
  const voiding = useVoidDialog({
    balanceOwner: 'own',
    refresh: () => {
      selection.clear()
      return refresh()
    },
  })
  const { rows } = selection
  const voidable = rows.filter(canVoid)
  const printAll = () =>
    print({ name: printTexts.labels(rows.length), orderIds: rows.map(orderKey) })
  const actions = (
    <>
      <Button
        size="small"
        kind="ink"
        onClick={printAll}
        disabledReason={
          rows.length > MAX_LABELS_IN_FILE ? texts.tooManyToPrint(MAX_LABELS_IN_FILE) : null
        }
      >
        {texts.printSeveral(rows.length)}
      </Button>
      <Button
        size="small"
        kind="danger"
        onClick={() => voiding.open(voidable)}
        disabledReason={
          voidable.length === 0
            ? texts.noneToVoid
            : voidable.length > MAX_VOIDS_PER_REQUEST
              ? voidTexts.tooMany(MAX_VOIDS_PER_REQUEST)
              : null
        }
      >
        {voidTexts.voidSeveral(voidable.length)}
      </Button>
    </>
  )
  return {
    openVoid: voiding.open,
    voidDialog: voiding.dialog,
    selection: {
      ...selection,
      summary: voidTexts.chosen(rows.length, usdFromDollars(totalPriceDollars(rows))),
      actions,
    },
  }
}
