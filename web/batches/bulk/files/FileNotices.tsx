import { useMemo } from 'react'
import { countText } from '#contract/format.ts'
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
  const marked = useMemo(() => notesOfRows(rows), [rows])
  const count = notices.length + marked.length
  if (count === 0) return null
  return (
    <details className={styles.notices}>
      <summary>{warningTexts.notes(count, files)}</summary>
      <ul>
        {notices.map(notice => (
          <li key={notice}>{notice}</li>
        ))}
        {marked.slice(0, MAX_LISTED_NOTICES).map(text => (
          <li key={text}>{text}</li>
        ))}
        {marked.length > MAX_LISTED_NOTICES && (
          <li>{warningTexts.moreNotes(marked.length - MAX_LISTED_NOTICES)}</li>
        )}
      </ul>
    </details>
  )
}

/** How many notes FileNotices lists. */
export const noteCount = (notices: readonly string[], rows: readonly GridRow[]): number =>
  notices.length + new Set(rows.map(row => row.notices.join(' ')).filter(Boolean)).size

/** 'Row 3: …', or '20 rows: …' where rows have the same note. */
function notesOfRows(rows: readonly GridRow[]): string[] {
  const places = new Map<string, { first: number; count: number }>()
  for (const [index, { notices }] of rows.entries()) {
    if (notices.length === 0) continue
    const text = notices.join(' ')
    const place = places.get(text)
    if (place) place.count += 1
    else places.set(text, { first: index, count: 1 })
  }
  return Array.from(places, ([text, { first, count }]) =>
    count === 1 ? `${texts.rowName(first)}: ${text}` : `${countText(count, 'row')}: ${text}`,
  )
}
