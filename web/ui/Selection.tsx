/** Checkboxes that select rows of a list, and the bar with actions for the selected rows. */
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

/** The label enlarges the touch target. */
export function SelectionCheckbox({ name, checked, onChange }: SelectionCheckboxProps) {
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

/** Renders nothing for a row that cannot be selected. */
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

/** Selects all selectable rows of this page. Without one only its column stays, for other pages. */
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

/** Sticks to the window's lower edge while rows are selected. */
export function SelectionBar<Row>({
  selection,
}: {
  selection: Selection<Row> & { summary: string; actions: ReactNode }
}) {
  const { rows, summary, actions, clear } = selection
  const some = rows.length > 0
  // The pressed button disappears with the bar, so the focus moves to the list's first checkbox.
  const leave = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    currentTarget.closest('section')?.querySelector<HTMLElement>('input[type="checkbox"]')?.focus()
    clear()
  }
  return (
    <div className={styles.bar} data-shown={some || undefined}>
      <span role="status" className={styles.summary}>
        {some && summary}
      </span>
      {some && (
        <div className={styles.actions}>
          <Button size="small" kind="quiet" onClick={leave}>
            {texts.chooseNone}
          </Button>
          {actions}
        </div>
      )}
    </div>
  )
}
