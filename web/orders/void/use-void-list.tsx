import type { ReactNode } from 'react'
import { usdFromDollars } from '#contract/money.ts'
import { VOIDS_AT_ONCE } from '#contract/orders.ts'
import type { Order } from '#contract/orders.ts'
import { Button } from '#web/ui/Button.tsx'
import type { ListTableProps } from '#web/ui/ListTable.tsx'
import { useSelection } from '#web/ui/use-selection.ts'
import { canVoid, total } from './outcome.ts'
import { texts } from './texts.ts'
import { useVoiding } from './use-voiding.tsx'
import type { VoidingOptions } from './use-voiding.tsx'

type VoidList<Row> = {
  selection: ListTableProps<Row>['selection']
  ask: (orders: readonly Order[]) => void
  dialog: ReactNode
}

/**
 * A list of labels that can be chosen and voided together. `selection` is ListTable's; `ask` and `dialog` as in `useVoiding`. After
 * every try nothing is chosen any more.
 */
export function useVoidList<Row extends Order>(
  shown: readonly Row[] | undefined,
  { purse, refresh }: VoidingOptions,
): VoidList<Row> {
  const selection = useSelection<Row>({
    shown,
    keyOf: ({ _id }) => _id,
    may: canVoid,
    name: ({ receiver }) => texts.choose(receiver.receiver_name ?? ''),
    all: texts.chooseAll,
  })
  const voiding = useVoiding({
    purse,
    refresh: () => {
      selection.clear()
      return refresh()
    },
  })
  const { rows } = selection
  const acts = (
    <Button
      size="small"
      kind="danger"
      onClick={() => voiding.ask(rows)}
      disabledReason={rows.length > VOIDS_AT_ONCE ? texts.tooMany(VOIDS_AT_ONCE) : null}
    >
      {texts.voidSeveral(rows.length)}
    </Button>
  )
  return {
    ...voiding,
    selection: { ...selection, said: texts.chosen(rows.length, usdFromDollars(total(rows))), acts },
  }
}
