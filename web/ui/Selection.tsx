/** The boxes that choose rows of a list, and the bar that says how many are chosen and what can be done to them. */
import { Checkbox } from '@mantine/core'
import { useId } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { texts } from './texts.ts'
import type { Selection } from './use-selection.ts'
import field from './Field.module.css'
import styles from './Selection.module.css'

type SelectionCheckboxProps = {
  name: string
  checked: boolean | 'some'
  onChange: (on: boolean) => void
}

/** The label around the box makes it as large as a finger; its name is the box's own. */
function SelectionCheckbox({ name, checked, onChange }: SelectionCheckboxProps) {
  const id = useId()
  return (
    <label className={styles.tick} htmlFor={id}>
      <Checkbox
        id={id}
        size="sm"
        aria-label={name}
        checked={checked === true}
        indeterminate={checked === 'some'}
        classNames={{ input: field.check }}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}

/** The box of a row; nothing where the row cannot be chosen. */
export function SelectRowCheckbox<Row>({
  selection,
  row,
}: {
  selection: Selection<Row>
  row: Row
}) {
  if (!selection.canSelect(row)) return null
  return (
    <SelectionCheckbox
      name={selection.rowLabelFor(row)}
      checked={selection.has(row)}
      onChange={on => selection.setSelected([row], on)}
    />
  )
}

/** The box in the head, for all rows of this page that can be chosen; nothing where none can. */
export function SelectAllCheckbox<Row>({
  selection,
  rows = [],
}: {
  selection: Selection<Row>
  rows: readonly Row[] | undefined
}) {
  const open = rows.filter(selection.canSelect)
  const count = open.filter(selection.has).length
  if (open.length === 0) return <span className="visually-hidden">{selection.selectAllLabel}</span>
  const on = count === open.length ? true : count > 0 ? 'some' : false
  return (
    <SelectionCheckbox
      name={selection.selectAllLabel}
      checked={on}
      onChange={to => selection.setSelected(open, to)}
    />
  )
}

/** Sticks to the window's lower edge while rows are chosen. What it says is heard, too. */
export function SelectionBar<Row>({
  selection,
}: {
  selection: Selection<Row> & { summary: string; actions: ReactNode }
}) {
  const { rows, summary, actions, clear } = selection
  const some = rows.length > 0
  // The bar goes with the button that was pressed: the focus moves on to the first box of the list.
  const leave = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    currentTarget.closest('section')?.querySelector<HTMLElement>('input[type="checkbox"]')?.focus()
    clear()
  }
  return (
    <div className={styles.bar} data-shown={some || undefined}>
      <span role="status" className={styles.said}>
        {some && summary}
      </span>
      {some && (
        <div className={styles.acts}>
          <Button size="small" kind="quiet" onClick={leave}>
            {texts.chooseNone}
          </Button>
          {actions}
        </div>
      )}
    </div>
  )
}
