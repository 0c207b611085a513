import { IconTrash } from '@tabler/icons-react'
import { IconButton } from '#web/ui/Button.tsx'
import { NumberField } from '#web/ui/Field.tsx'
import type { RangeField, DraftRange } from './price-draft.ts'
import { texts } from './texts.ts'
import styles from './Prices.module.css'

const t = texts.prices

type RangeRowProps = {
  row: DraftRange
  /** Position in the editor, from 1. */
  number: number
  isWrong: (field: RangeField) => boolean
  onChange: (field: RangeField, value: number | string) => void
  /** Null for the only range, which stays. */
  onRemove: (() => void) | null
}

/** From, to and price of one range: whole pounds, price from 0 in steps of 0.01. */
export function RangeRow(props: RangeRowProps) {
  const { row, number, isWrong, onChange, onRemove } = props
  const bind = (field: RangeField) => ({
    value: row[field],
    error: isWrong(field) || null,
    hideLabel: true,
    onChange: (value: number | string) => onChange(field, value),
  })
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be a grid of the same columns as its head
    <div role="group" aria-label={t.range(number)} className={styles.row}>
      <NumberField
        {...bind('from')}
        label={t.from}
        min={1}
        step={1}
        whole
        data-autofocus={number === 1 || undefined}
      />
      <NumberField {...bind('to')} label={t.to} min={1} step={1} whole />
      <NumberField
        {...bind('price')}
        label={t.price}
        min={0}
        step={0.01}
        decimalScale={2}
        fixedDecimalScale
      />
      {onRemove && (
        <IconButton name={t.remove(number)} onClick={onRemove}>
          <IconTrash aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
