import type { ColumnMapping } from '#contract/imports.ts'
import { firstRowText } from './match-columns.ts'
import type { MappedColumn } from './match-columns.ts'
import { texts } from './texts.ts'
import styles from './MatchColumns.module.css'

type FirstRowProps = {
  columns: readonly MappedColumn[]
  constants: ColumnMapping['constants']
  /** Its cells in the file. */
  first: readonly string[]
}

/** The receiver and the weight of the first row, as the columns are matched now; nothing before one of them is. */
export function FirstRow({ columns, constants, first }: FirstRowProps) {
  const text = firstRowText(columns, constants, first)
  if (text === '') return null
  return (
    <p className={styles.firstRow} role="status">
      <span>{texts.firstRow}</span> {text}
    </p>
  )
}
