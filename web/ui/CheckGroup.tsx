import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { ErrorLine } from './ErrorLine.tsx'
import { CheckField } from './Field.tsx'
import styles from './CheckGroup.module.css'

type CheckGroupProps<Value extends string> = {
  legend: string
  /** In the order in which they are shown and given back. */
  options: readonly { value: Value; label: string; description: string }[]
  /** Adds a checkbox over the others that has this text and chooses all or none. The others show once it is off. */
  all?: string
  /** What that covers, while it is chosen. */
  allHint?: ReactNode
  chosen: readonly Value[]
  error: string | undefined
  onChange: (chosen: Value[]) => void
}

/** Several of a short list, in two columns where there is room. */
export function CheckGroup<Value extends string>(props: CheckGroupProps<Value>) {
  const { legend, options, all, allHint, chosen, error, onChange } = props
  const errorId = useId()
  const hasAll = chosen.length === options.length
  // Choosing the last one by itself does not take the list away.
  const [open, setOpen] = useState(all === undefined || !hasAll)
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
            description={open ? undefined : allHint}
            checked={hasAll}
            indeterminate={chosen.length > 0 && !hasAll}
            onChange={({ currentTarget: { checked } }) => {
              setOpen(!checked)
              onChange(checked ? options.map(({ value }) => value) : [])
            }}
          />
        </div>
      )}
      {open && (
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
      )}
      <div id={errorId}>
        <ErrorLine>{error}</ErrorLine>
      </div>
    </fieldset>
  )
}
