import { useMemo } from 'react'
import { texts } from '#web/batches/bulk/texts.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import styles from '#web/batches/bulk/Bulk.module.css'

const MAX_LISTED_NOTICES = 50

/** Notices about the file and its rows, folded. They are warnings, not errors. */
export function FileNotices({
  notices,
  rows,
}: {
  notices: readonly string[]
  rows: readonly GridRow[]
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
      <summary>{texts.notices(count)}</summary>
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
