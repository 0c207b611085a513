import type { ReactNode } from 'react'
import { usdFromDollars } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import { MAX_VOIDS_PER_REQUEST } from '#contract/voids.ts'
import { Button } from '#web/ui/Button.tsx'
import type { ListTableProps } from '#web/ui/ListTable.tsx'
import { useSelection } from '#web/ui/use-selection.ts'
import { texts } from './texts.ts'
import { useVoidDialog } from './use-voiding.tsx'
import type { VoidDialogOptions } from './use-voiding.tsx'
import { canVoid, totalPriceDollars } from './void-summary.ts'

type VoidListState<Row> = {
  selection: ListTableProps<Row>['selection']
  dialog: ReactNode
}

/**
 * Selection and voiding for a list of labels. `selection` is for ListTable. The selection is
 * cleared after every void.
 */
export function useVoidList<Row extends Order>(
  shown: readonly Row[] | undefined,
  { balanceOwner, refresh }: VoidDialogOptions,
): VoidListState<Row> {
  const selection = useSelection<Row>({
    pageRows: shown,
    keyOf: ({ _id }) => _id,
    canSelect: canVoid,
    rowLabelFor: ({ receiver }) => texts.choose(receiver.receiver_name ?? ''),
    selectAllLabel: texts.chooseAll,
  })
  const voiding = useVoidDialog({
    balanceOwner,
    refresh: () => {
      selection.clear()
      return refresh()
    },
  })
  const { rows } = selection
  const actions = (
    <Button
      size="small"
      kind="danger"
      onClick={() => voiding.open(rows)}
      disabledReason={
        rows.length > MAX_VOIDS_PER_REQUEST ? texts.tooMany(MAX_VOIDS_PER_REQUEST) : null
      }
    >
      {texts.voidSeveral(rows.length)}
    </Button>
  )
  return {
    dialog: voiding.dialog,
    selection: {
      ...selection,
      summary: texts.chosen(rows.length, usdFromDollars(totalPriceDollars(rows))),
      actions,
    },
  }
}
