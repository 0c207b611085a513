import { useId } from 'react'
import type { RowGrouping } from '#contract/imports.ts'
import { cents, usd } from '#contract/money.ts'
import { groupingTexts as texts } from '#web/batches/bulk/checks/texts.ts'
import type { GroupingOption } from './combine.ts'
import styles from './OneLabelFor.module.css'

type OneLabelForProps = {
  value: RowGrouping
  /** What each choice makes of the rows: labels and price. */
  options: readonly GroupingOption[]
  onChange: (by: RowGrouping) => void
}

/** What one label is made for: each line, order or address, with the number of labels and their price. */
export function OneLabelFor({ value, options, onChange }: OneLabelForProps) {
  const id = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{texts.legend}</legend>
      <div className={styles.options}>
        {options.map(option => (
          <label
            key={option.by}
            className={styles.option}
            data-chosen={option.by === value || undefined}
          >
            <input
              type="radio"
              className={styles.radio}
              name={id}
              value={option.by}
              checked={option.by === value}
              onChange={() => onChange(option.by)}
              aria-labelledby={`${id}${option.by}`}
              aria-describedby={`${id}${option.by}-result`}
            />
            <span id={`${id}${option.by}`} className={styles.name}>
              {texts.names[option.by]}
            </span>
            <span id={`${id}${option.by}-result`} className={styles.result}>
              {texts.labels(option.labels)}
              {', '}
              {option.cents === null ? texts.noPrice : usd(cents(option.cents))}
              {option.cents !== null
                && option.unpriced > 0
                && `, ${texts.unpriced(option.unpriced)}`}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
