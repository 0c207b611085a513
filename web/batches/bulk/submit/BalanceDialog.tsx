/** Asked before anything is sent, when the balance does not pay for the whole table. */
import { cents, fromDollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { useUser } from '#web/client/session.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { coveredRows } from './row-prices.ts'
import type { TablePrice } from './use-table-price.ts'

const t = texts.balance

type BalanceDialogProps = {
  opened: boolean
  rows: readonly GridRow[]
  price: TablePrice
  onSubmit: (firstRows: number) => void
  onClose: () => void
}

export function BalanceDialog({ opened, rows, price, onSubmit, onClose }: BalanceDialogProps) {
  const balance = fromDollars(useUser().balance) ?? ZERO
  const total = price.total ?? ZERO
  const covered = coveredRows(rows, price.priceOf, balance)
  const part = covered.rows > 0 && covered.rows < rows.length
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t.title}
      closeButton={false}
      actions={
        <>
          <Button data-autofocus onClick={onClose}>
            {texts.cancel}
          </Button>
          {part && <Button onClick={() => onSubmit(covered.rows)}>{t.submitCovered}</Button>}
          <ButtonLink kind="ink" to="/main/deposit">
            {t.topUp}
          </ButtonLink>
        </>
      }
    >
      <p>{t.missing(rows.length, usd(total), usd(balance), usd(missing(total, balance)))}</p>
      <p>
        {part
          ? t.covered(
              covered.rows,
              usd(covered.cents),
              rows.length - covered.rows,
              usd(cents(total - covered.cents)),
            )
          : t.coversNothing}
      </p>
    </Dialog>
  )
}

const missing = (total: Cents, balance: Cents): Cents => cents(Math.max(0, total - balance))
