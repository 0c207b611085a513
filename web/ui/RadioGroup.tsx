import { useId } from 'react'
import type { ReactNode } from 'react'
import styles from './RadioGroup.module.css'

/** `picture`: drawn above the text, for options side by side. */
type RadioOption<V extends string> = {
  value: V
  text: string
  hint?: string
  picture?: ReactNode
}

type RadioGroupProps<V extends string> = {
  label: string
  options: readonly RadioOption<V>[]
  value: V
  onChange: (value: V) => void
  /** Side by side, for few short options. */
  inRow?: boolean
  /** The chosen option gets the first focus of the dialog. */
  'data-autofocus'?: boolean
}

/** Native radio buttons; the whole line of an option is clickable. */
export function RadioGroup<V extends string>({
  label,
  options,
  value,
  onChange,
  inRow,
  'data-autofocus': autofocus,
}: RadioGroupProps<V>) {
  const id = useId()
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.options} data-row={inRow || undefined}>
        {options.map(({ value: one, text, hint, picture }) => (
          <label
            key={one}
            className={styles.option}
            data-chosen={one === value || undefined}
            data-picture={picture ? true : undefined}
          >
            {picture && <span className={styles.picture}>{picture}</span>}
            <input
              type="radio"
              className={styles.radio}
              name={id}
              value={one}
              checked={one === value}
              data-autofocus={(autofocus && one === value) || undefined}
              onChange={() => onChange(one)}
              aria-labelledby={`${id}${one}`}
              aria-describedby={hint && `${id}${one}-hint`}
            />
            <span id={`${id}${one}`} className={styles.text}>
              {text}
            </span>
            {hint && (
              <span id={`${id}${one}-hint`} className={styles.hint}>
                {hint}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
