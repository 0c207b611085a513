import { useId } from 'react'
import { ErrorLine } from './ErrorLine.tsx'
import { CheckField } from './Field.tsx'
import styles from './CheckGroup.module.css'

type CheckGroupProps<Value extends string> = {
  legend: string
  /** In the order in which they are shown and given back. */
  options: readonly { value: Value; label: string; description: string }[]
  /** Adds a checkbox over the others that has this text and chooses all or none. */
  all?: string
  chosen: readonly Value[]
  error: string | undefined
  onChange: (chosen: Value[]) => void
}

/** Several of a short list, in two columns where there is room. */
export function CheckGroup<Value extends string>(props: CheckGroupProps<Value>) {
  const { legend, options, all, chosen, error, onChange } = props
  const errorId = useId()
  const toggle = (value: Value, isChosen: boolean) =>
    onChange(
      options
        .map(option => option.value)
        .filter(one => (one === value ? isChosen : chosen.includes(one))),
    )
  return (
    <fieldset className={styles.group} aria-describedby={error ? errorId : undefined}>
      <legend className={styles.legend}>{legend}</legend>
      {all !== undefined && (
        <div className={styles.all}>
          <CheckField
            label={all}
            checked={chosen.length === options.length}
            indeterminate={chosen.length > 0 && chosen.length < options.length}
            onChange={event =>
              onChange(event.currentTarget.checked ? options.map(({ value }) => value) : [])
            }
          />
        </div>
      )}
      <div className={styles.options}>
        {options.map(({ value, label, description }) => (
          <CheckField
            key={value}
            label={label}
            description={description}
            checked={chosen.includes(value)}
            onChange={event => toggle(value, event.currentTarget.checked)}
          />
        ))}
      </div>
      <div id={errorId}>
        <ErrorLine>{error}</ErrorLine>
      </div>
    </fieldset>
  )
}
