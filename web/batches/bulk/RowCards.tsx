/** The table on a phone: a card per row, of which only the visible ones are rendered. */
import { IconInfoCircle, IconPencil, IconTrash } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { RowErrors } from '#contract/row-rules.ts'
import { hasNoErrors, withGroupName } from '#contract/row-rules.ts'
import type { RowField } from '#contract/rows.ts'
import { shownCell } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { IconButton } from '#web/ui/Button.tsx'
import { texts } from './texts.ts'
import type { RowValidator } from './validation.ts'
import styles from './RowCards.module.css'

/**
 * Height of a card and its gap in the style sheet, px: without and with a line for errors or
 * notices.
 */
const CARD_PX = 104
const CARD_WITH_LINE_PX = 128

const hasLine = (row: GridRow, validateRow: RowValidator): boolean =>
  row.notices.length > 0 || !hasNoErrors(validateRow(row))

type RowCardsProps = {
  rows: readonly GridRow[]
  validateRow: RowValidator
  /** `focusRequest` counts the requests to scroll to the row. */
  goTo: { row: number; focusRequest: number }
  onEdit: (index: number) => void
  onDelete: (index: number) => void
}

export function RowCards({ rows, validateRow, goTo, onEdit, onDelete }: RowCardsProps) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler; cards are by hand
  const virtual = useWindowVirtualizer({
    count: rows.length,
    overscan: 4,
    scrollMargin: top,
    estimateSize: index =>
      rows[index] && hasLine(rows[index], validateRow) ? CARD_WITH_LINE_PX : CARD_PX,
  })
  useLayoutEffect(() => virtual.measure(), [virtual, rows, validateRow])
  // Content above the list can come and go, so its offset is measured after each render.
  // oxlint-disable-next-line react/exhaustive-deps -- ends as soon as the place is known
  useLayoutEffect(() => {
    const measured = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    if (measured !== top) setTop(measured)
  })
  const scroll = useEffectEvent(() => virtual.scrollToIndex(goTo.row, { align: 'center' }))
  useLayoutEffect(() => {
    if (goTo.focusRequest > 0) scroll()
  }, [goTo.focusRequest])
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={texts.grid}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, start }) => {
        const row = rows[index]
        return (
          row && (
            <li
              key={row.id}
              className={styles.item}
              style={{ transform: `translateY(${start - top}px)` }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              <RowCard
                row={row}
                index={index}
                errors={validateRow(row)}
                onEdit={onEdit}
                onDelete={onDelete}
              />
            </li>
          )
        )
      })}
    </ul>
  )
}

type RowCardProps = Pick<RowCardsProps, 'onEdit' | 'onDelete'> & {
  row: GridRow
  index: number
  errors: RowErrors
}

const RowCard = memo(function RowCard({ row, index, errors, onEdit, onDelete }: RowCardProps) {
  const invalid = Object.entries(errors) as [RowField, string][]
  const [first] = invalid
  const line = first !== undefined || row.notices.length > 0
  const shown = (name: RowField) => shownCell(row, name)
  const references = [shown('skuNumber'), shown('orderId')].filter(Boolean).map(text => `, ${text}`)
  const parcel = [shown('PackageLength'), shown('PackageWidth'), shown('PackageHeight')]
    .map(measure => measure || '–')
    .join(' × ')
  const cityLine = [shown('ToCity'), shown('ToStateProvince'), shown('ToZipPostal')]
    .filter(Boolean)
    .join(' ')
  return (
    <div
      className={styles.card}
      data-invalid={first !== undefined || undefined}
      data-line={line || undefined}
    >
      <div className={styles.text}>
        <p className={styles.name}>
          <span className={styles.number}>{index + 1}</span>
          {shown('ToRecipientName') || '–'}
        </p>
        <p>{[shown('ToStreet1'), cityLine].filter(Boolean).join(', ') || '–'}</p>
        <p className={styles.parcel}>
          {texts.parcel(parcel, shown('PackageWeight') || '–')}
          {references}
        </p>
        {first ? (
          <p className={styles.error}>
            <span className={styles.wrong}>{texts.errorCount(invalid.length)}</span>{' '}
            {withGroupName(...first)}
          </p>
        ) : (
          row.notices.length > 0 && (
            <p className={styles.notice}>
              <IconInfoCircle aria-hidden="true" />
              {row.notices.join(' ')}
            </p>
          )
        )}
      </div>
      <IconButton name={texts.edit} tooltip={false} onClick={() => onEdit(index)}>
        <IconPencil aria-hidden="true" />
      </IconButton>
      <IconButton name={texts.remove} tooltip={false} onClick={() => onDelete(index)}>
        <IconTrash aria-hidden="true" />
      </IconButton>
    </div>
  )
})
