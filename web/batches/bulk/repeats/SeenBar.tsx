/** Rows of the table that already have a label, before they are bought again. */
import { useMemo, useState } from 'react'
import { groupTracking } from '#contract/format.ts'
import { seenTexts as texts } from '#web/batches/bulk/checks/texts.ts'
import { linesOf } from '#web/batches/bulk/drafts/draft.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { Button } from '#web/ui/Button.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import type { SeenBefore } from './seen.ts'
import { seenSummary } from './seen.ts'
import page from '#web/batches/bulk/Bulk.module.css'
import styles from './SeenBar.module.css'

/** More would be unreadable, and 10,000 would block the browser. */
const MAX_LISTED_LABELS = 50

type SeenBarProps = {
  seen: SeenBefore
  rows: readonly GridRow[]
  /** Removes these lines from the table (`leaveOut` of seen.ts). */
  onLeaveOut: (ids: ReadonlySet<GridRow['id']>) => void
  /** Buys them again: the submit then sends `allowRepeats`. */
  onKeep: () => void
}

/** Renders nothing if no row has a label, unless a submit was refused for it. */
export function SeenBar({ seen, rows, onLeaveOut, onKeep }: SeenBarProps) {
  const { count, total, ids } = useMemo(() => seenSummary(seen, rows), [seen, rows])
  const [isListed, setListed] = useState(false)
  if (count === 0 && !seen.refused) return null
  const canLeaveOut = ids !== null && count > 0
  const actions = (
    <span className={styles.actions}>
      <Button
        size="small"
        kind="quiet"
        aria-expanded={isListed}
        onClick={() => setListed(!isListed)}
      >
        {texts.which}
      </Button>
      <Button
        size="small"
        disabledReason={canLeaveOut ? null : texts.unknownRows}
        onClick={() => canLeaveOut && onLeaveOut(ids)}
      >
        {texts.leaveOut}
      </Button>
      <Button size="small" onClick={onKeep}>
        {texts.keep}
      </Button>
    </span>
  )
  return (
    <div className={styles.seen}>
      <div className={page.bar}>
        <Notice tone="yellow" action={actions}>
          {count > 0 ? texts.bar(count, total) : texts.refused}
        </Notice>
      </div>
      {isListed && <SeenList seen={seen} rows={rows} />}
    </div>
  )
}

function SeenList({ seen, rows }: Pick<SeenBarProps, 'seen' | 'rows'>) {
  const placeOf = new Map(
    rows.flatMap((row, index) => linesOf(row).map(line => [line.id, { index, line }] as const)),
  )
  return (
    <ul className={styles.list}>
      {seen.files.map(file => (
        <li key={`${file.batchId}-${file.index}`}>
          {texts.file(file.name, dateText(file.at), file.labels)}
        </li>
      ))}
      {seen.labels.slice(0, MAX_LISTED_LABELS).map(({ rowId, trackingNumber, at }) => {
        const place = placeOf.get(rowId)
        return (
          place && (
            <li key={rowId}>
              {[
                texts.row(place.index),
                place.line.orderId,
                trackingNumber === null ? texts.pending : groupTracking(trackingNumber),
                dateText(at),
              ]
                .filter(part => part !== '')
                .join(', ')}
            </li>
          )
        )
      })}
      {seen.labels.length > MAX_LISTED_LABELS && (
        <li>{texts.more(seen.labels.length - MAX_LISTED_LABELS)}</li>
      )}
    </ul>
  )
}
