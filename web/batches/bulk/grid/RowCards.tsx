/** The table on a phone: a card per row, of which only the visible ones are rendered. */
import { IconDots, IconInfoCircle } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { usd } from '#contract/money.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import { withGroupName } from '#contract/row-rules.ts'
import type { RowWarning } from '#contract/row-warnings.ts'
import type { RowField } from '#contract/rows.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { shownCell, shownOptions } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { IconButton } from '#web/ui/Button.tsx'
import { SelectionCheckbox } from '#web/ui/Selection.tsx'
import { gridTexts } from './texts.ts'
import { placeOf } from './use-grid-keys.ts'
import type { GridModel } from './use-grid.ts'
import type { RowPicking } from './use-row-picking.ts'
import styles from './RowCards.module.css'

/** Heights of a card and its gap in the style sheet, px: without, with a short and with a long error or notice. */
const CARD_PX = [96, 120, 144] as const
/** What of a card's width is beside its text, and how wide a character of a note is at the most, px. */
const BESIDE_TEXT_PX = 96
const CHARACTER_PX = 6.5
/** Of a note, how many characters fit on one line: 34 at 320 px. */
const lineLengthIn = (widthPx: number) => Math.floor((widthPx - BESIDE_TEXT_PX) / CHARACTER_PX)

/** The first error, or all warnings and notices; '' without any. */
function noteOf({ notices }: GridRow, errors: RowErrors, warnings: readonly RowWarning[]): string {
  const [first] = Object.entries(errors) as [RowField, string][]
  return first
    ? withGroupName(...first)
    : [...warnings.map(({ message }) => message), ...notices].join(' ')
}

const lineCount = (note: string, lineLength: number): 0 | 1 | 2 =>
  note === '' ? 0 : note.length > lineLength ? 2 : 1

export function RowCards({ grid, picking }: { grid: GridModel; picking: RowPicking }) {
  const { table, rows, view, place } = grid
  const { validateRow, active } = table
  const actions = useCardActions(grid, picking)
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // The list is rendered again when the window's size changes.
  const lineLength = lineLengthIn(innerWidth)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler; cards are by hand
  const virtual = useWindowVirtualizer({
    count: view.count,
    overscan: 4,
    scrollMargin: top,
    estimateSize: at => {
      const row = rows[view.rowAt(at)]
      const note = row ? noteOf(row, validateRow(row), grid.warningsOf(row)) : ''
      return CARD_PX[lineCount(note, lineLength)]
    },
  })
  useLayoutEffect(() => virtual.measure(), [virtual, rows, view, validateRow, lineLength])
  // Content above the list can come and go, so its offset is measured after each render.
  // oxlint-disable-next-line react/exhaustive-deps -- ends as soon as the place is known
  useLayoutEffect(() => {
    const measured = Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    if (measured !== top) setTop(measured)
  })
  const scroll = useEffectEvent(() => virtual.scrollToIndex(place.row, { align: 'center' }))
  useLayoutEffect(() => {
    if (active.focusRequest > 0) scroll()
  }, [active.focusRequest])
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={texts.grid}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index: at, start }) => {
        const index = view.rowAt(at)
        const row = rows[index]
        if (!row) return null
        const price = grid.priceOf(row)
        return (
          <li
            key={row.id}
            className={styles.item}
            style={{ transform: `translateY(${start - top}px)` }}
            aria-setsize={view.count}
            aria-posinset={at + 1}
          >
            <RowCard
              row={row}
              index={index}
              errors={validateRow(row)}
              lineLength={lineLength}
              warnings={grid.warningsOf(row)}
              price={cardPrice(price)}
              sender={grid.sender === null ? shownCell(row, 'FromSenderName') : ''}
              file={table.draft.files.length > 1 ? row.fileName : undefined}
              picked={picking.ids && picking.ids.has(row.id)}
              actions={actions}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** That a service is missing is said once, below the table. */
const cardPrice = ({ cents, note }: ReturnType<GridModel['priceOf']>): string | null =>
  cents !== null ? usd(cents) : note === texts.noServiceYet ? '' : note

/** They act on the newest table, so that a card need not be drawn again for them. */
type CardActions = {
  edit: (index: number) => void
  openMenu: (index: number, opener: HTMLElement) => void
  pick: (id: GridRow['id'], on: boolean) => void
}

function useCardActions(grid: GridModel, picking: RowPicking): CardActions {
  const latest = useRef({ ...grid, picking })
  useLayoutEffect(() => {
    latest.current = { ...grid, picking }
  })
  return useMemo(
    () => ({
      edit: index => latest.current.table.edit(index),
      openMenu: (row, opener) =>
        latest.current.openMenu({ kind: 'card', row, place: placeOf(opener), opener }),
      pick: (id, on) => latest.current.picking.pick(id, on),
    }),
    [],
  )
}

/** 'Street, City ST 12345'. */
export function addressOf(row: GridRow): string {
  const place = [
    shownCell(row, 'ToCity'),
    shownCell(row, 'ToStateProvince'),
    shownCell(row, 'ToZipPostal'),
  ]
  const parts = [shownCell(row, 'ToStreet1'), place.filter(Boolean).join(' ')]
  return parts.filter(Boolean).join(', ') || '–'
}

type RowCardProps = {
  row: GridRow
  index: number
  errors: RowErrors
  /** How many characters of a note fit on one line. */
  lineLength: number
  warnings: readonly RowWarning[]
  /** Or why there is none; null while it is loading. */
  price: string | null
  /** '' where all rows have the same. */
  sender: string
  /** Its name, where the rows are of several. */
  file: string | undefined
  /** Null while rows are not picked. */
  picked: boolean | null
  actions: CardActions
}

const RowCard = memo(function RowCard(props: RowCardProps) {
  const { row, index, errors, lineLength, warnings, price, sender, file, picked, actions } = props
  const errorCount = Object.keys(errors).length
  const note = noteOf(row, errors, warnings)
  const shown = (name: RowField) => shownCell(row, name)
  const references = [
    // The reason why there is no price may be the fault that is told below.
    price === note ? '' : price,
    shownOptions(row),
    sender && gridTexts.fromSender(sender),
    shown('skuNumber'),
    shown('orderId'),
    file,
  ]
    .filter(Boolean)
    .map(text => `, ${text}`)
  const parcel = [shown('PackageLength'), shown('PackageWidth'), shown('PackageHeight')]
    .map(measure => measure || '–')
    .join(' × ')
  return (
    <div
      className={styles.card}
      data-invalid={errorCount > 0 || undefined}
      data-warning={warnings.length > 0 || undefined}
      data-lines={lineCount(note, lineLength) || undefined}
      data-picked={picked || undefined}
    >
      {picked !== null && (
        <SelectionCheckbox
          name={gridTexts.pickRow(index)}
          checked={picked}
          onChange={on => actions.pick(row.id, on)}
        />
      )}
      {picked === null && (
        <button type="button" className={styles.open} onClick={() => actions.edit(index)}>
          <span className="visually-hidden">{texts.edit}</span>
        </button>
      )}
      <div className={styles.text}>
        <p className={styles.name}>
          <span className={styles.number}>{index + 1}</span>
          {shown('ToRecipientName') || '–'}
        </p>
        <p>{addressOf(row)}</p>
        <p className={styles.parcel}>
          {texts.parcel(parcel, shown('PackageWeight') || '–')}
          {references}
        </p>
        {errorCount > 0 ? (
          <p className={styles.error}>
            <span className={styles.wrong}>{texts.errorCount(errorCount)}</span> {note}
          </p>
        ) : (
          note !== '' && (
            <p className={styles.notice} data-warning={warnings.length > 0 || undefined}>
              <IconInfoCircle aria-hidden="true" />
              {note}
            </p>
          )
        )}
      </div>
      <div className={styles.cardButtons} hidden={picked !== null}>
        <IconButton
          name={gridTexts.menuOfRow(index)}
          tooltip={false}
          aria-haspopup="menu"
          onClick={event => actions.openMenu(index, event.currentTarget)}
        >
          <IconDots aria-hidden="true" />
        </IconButton>
      </div>
    </div>
  )
})
