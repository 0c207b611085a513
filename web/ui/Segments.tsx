import { useId } from 'react'
import styles from './Segments.module.css'

type SegmentsProps<V extends string | number> = {
  /** Names the group for screen readers. */
  label: string
  options: readonly { value: V; text: string }[]
  value: V
  onChange: (value: V) => void
  /** As wide as the list on a phone. */
  block?: boolean
  /** Words above a line, as wide as what they choose: for parts of a page. */
  tabs?: boolean
}

/** A choice between a few views of one thing, as native radio buttons in a row. */
export function Segments<V extends string | number>({
  label,
  options,
  value,
  onChange,
  block,
  tabs,
}: SegmentsProps<V>) {
  const name = useId()
  return (
    <fieldset
      className={styles.segments}
      data-block={block || undefined}
      data-tabs={tabs || undefined}
    >
      <legend className="visually-hidden">{label}</legend>
      {options.map(option => (
        <label
          key={option.value}
          className={styles.segment}
          data-chosen={option.value === value || undefined}
        >
          <input
            type="radio"
            className={styles.radio}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.text}
        </label>
      ))}
    </fieldset>
  )
}
