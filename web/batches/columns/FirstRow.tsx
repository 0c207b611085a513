import { Fragment } from 'react'
import type { ColumnMapping } from '#contract/imports.ts'
import { firstRowParts } from './match-columns.ts'
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
  const parts = firstRowParts(columns, constants, first)
  if (parts.length === 0) return null
  return (
    <p className={styles.firstRow} role="status">
      <span className={styles.firstRowTitle}>{texts.firstRow}</span>{' '}
      <span>
        {parts.map((part, place) => (
          <Fragment key={place}>
            {place > 0 && ' '}
            <span className={styles.firstRowPart}>
              {part}
              {place < parts.length - 1 && ','}
            </span>
          </Fragment>
        ))}
      </span>
    </p>
  )
}
