import { useMemo } from 'react'
import { warningTexts } from '#web/batches/bulk/checks/texts.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import styles from '#web/batches/bulk/Bulk.module.css'

const MAX_LISTED_NOTICES = 50

/** What was read differently than it was written, and other notes on the files and their rows, folded. */
export function FileNotices({
  notices,
  rows,
  files,
}: {
  notices: readonly string[]
  rows: readonly GridRow[]
  /** How many files the rows are of. */
  files: number
}) {
  const marked = useMemo(
    () =>
      rows.flatMap((row, index) =>
        row.notices.length > 0
          ? [{ id: row.id, text: `${texts.rowName(index)}: ${row.notices.join(' ')}` }]
          : [],
      ),
    [rows],
  )
  const count = notices.length + marked.length
  if (count === 0) return null
  return (
    <details className={styles.notices}>
      <summary>{warningTexts.notes(count, files)}</summary>
      <ul>
        {notices.map(notice => (
          <li key={notice}>{notice}</li>
        ))}
        {marked.slice(0, MAX_LISTED_NOTICES).map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
        {marked.length > MAX_LISTED_NOTICES && (
          <li>{texts.moreNotices(marked.length - MAX_LISTED_NOTICES)}</li>
        )}
      </ul>
    </details>
  )
}
