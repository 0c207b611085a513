/** The filters that are set, each with a button that removes it, and one that removes all. */
import { IconX } from '@tabler/icons-react'
import { Button } from './Button.tsx'
import { texts } from './texts.ts'
import styles from './FilterChips.module.css'

export type FilterChip = {
  /** The label of its field. */
  name: string
  /** As the field shows it. */
  value: string
  onRemove: () => void
}

type FilterChipsProps = {
  chips: readonly FilterChip[]
  clearText: string
  onClear: () => void
}

/** Renders nothing while no filter is set. */
export function FilterChips({ chips, clearText, onClear }: FilterChipsProps) {
  if (chips.length === 0) return null
  return (
    <div className={styles.row}>
      <ul className={styles.chips} aria-label={texts.setFilters}>
        {chips.map(({ name, value, onRemove }) => (
          <li key={name}>
            <button type="button" className={styles.chip} onClick={onRemove}>
              <span className={styles.name}>{name}</span>{' '}
              <span className={styles.value}>{value}</span>
              <span className="visually-hidden">{texts.removeFilter}</span>
              <IconX aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <Button kind="quiet" size="small" onClick={onClear}>
        {clearText}
      </Button>
    </div>
  )
}
