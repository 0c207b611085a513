/** The field of a cell in edit mode, its error below. */
import { useId } from 'react'
import type { Field, RowField } from '#contract/rows.ts'
import { fieldTitle, isNumeric } from './columns.ts'
import styles from './CellInput.module.css'

type CellInputProps = {
  field: Field
  /** What can be chosen; null for a text. */
  options: readonly string[] | null
  value: string
  error: string | undefined
  placeholder?: string | undefined
  onChange: (name: RowField, value: string) => void
  onLeave?: (name: RowField) => void
}

export function CellInput(props: CellInputProps) {
  const { field, options, value, error, placeholder, onChange, onLeave } = props
  const id = useId()
  const figure = isNumeric(field)
  const shared = {
    name: field.name,
    value,
    className: styles.input,
    'aria-label': fieldTitle(field.name),
    'aria-required': field.required || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? id : undefined,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange(field.name, event.currentTarget.value),
  }
  return (
    <span className={styles.slot}>
      {options ? (
        <select {...shared}>
          {!options.includes(value) && <option value={value}>{value || '–'}</option>}
          {options.map(option => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          onBlur={() => onLeave?.(field.name)}
          autoComplete="off"
          placeholder={placeholder}
          inputMode={figure ? 'decimal' : undefined}
          data-figure={figure || undefined}
        />
      )}
      {error && (
        <span id={id} className={styles.bubble}>
          {error}
        </span>
      )}
    </span>
  )
}
