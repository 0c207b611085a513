/** The rows of a list as cards: two lines each where the list is wide, with their columns below each other. */
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { DotLine } from './DotLine.tsx'
import { groupsOf } from './row-groups.ts'
import { SelectRowCheckbox } from './Selection.tsx'
import { Skeleton } from './Skeleton.tsx'
import type { Tone } from './tone.ts'
import { useDelayedLoading } from './use-delayed-loading.ts'
import type { Selection } from './use-selection.ts'
import styles from './RowCards.module.css'

export type RowCard = {
  title: ReactNode
  /** Lines below the title; one line with dots where the card is wide. */
  details?: ReactNode[]
  /** A column of its own where the card is wide, else below the details. */
  middle?: ReactNode[]
  /** On the right: figures, status, date. */
  aside?: ReactNode[]
  actions?: ReactNode
  /**
   * Where the actions of a narrow card are: below all (default), at the end of its first line, or
   * below `aside`. 'row': below all of a wide card, too, where they are at the end otherwise.
   */
  actionsAt?: 'end' | 'aside' | 'row'
}

/** How many lines each part of a usual card has. */
export type LoadingCard = {
  /** Two lines when undefined. */
  details?: number
  middle?: number
  /** Two lines when undefined. */
  aside?: number
  /** The line of `aside` that is a status, which is higher. */
  pillAt?: number
  actions?: boolean
} & Pick<RowCard, 'actionsAt'>

export type RowCardsProps<Row> = {
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** `wide`: whether the card has room for more than a title and a figure beside each other. */
  card: (row: Row, wide: boolean) => RowCard
  rowTone?: (row: Row) => Tone | undefined
  groupOf?: (row: Row) => string
  selection?: Selection<Row>
  wide: boolean
  /** Cards shown while loading. */
  loadingCards: number
  loadingCard?: (wide: boolean) => LoadingCard
}

export function RowCards<Row>({
  rows,
  rowKey,
  rowTone,
  groupOf,
  card,
  selection,
  wide,
  loadingCards,
  loadingCard,
}: RowCardsProps<Row>) {
  const waiting = useDelayedLoading(rows === undefined)
  if (rows === undefined)
    return (
      waiting && (
        <LoadingCards
          count={loadingCards}
          parts={loadingCard?.(wide)}
          withPick={selection !== undefined}
          wide={wide}
        />
      )
    )
  return groupsOf(rows, groupOf).map(group => (
    <Fragment key={group.key}>
      {group.name !== null && (
        <p className={styles.group} aria-hidden="true">
          {group.name}
        </p>
      )}
      <ul className={styles.list} aria-label={group.name ?? undefined}>
        {group.rows.map(row => (
          <RowAsCard
            key={rowKey(row)}
            row={row}
            card={card(row, wide)}
            tone={rowTone?.(row)}
            selection={selection}
            wide={wide}
          />
        ))}
      </ul>
    </Fragment>
  ))
}

type RowAsCardProps<Row> = {
  row: Row
  card: RowCard
  tone: Tone | undefined
  selection: Selection<Row> | undefined
  wide: boolean
}

const pieces = (nodes: ReactNode[], className?: string) =>
  nodes.filter(Boolean).map((node, i) => (
    <div key={i} className={className}>
      {node}
    </div>
  ))

function RowAsCard<Row>({ row, card, tone, selection, wide }: RowAsCardProps<Row>) {
  return (
    <li className={styles.item} data-tone={tone} data-actions={card.actionsAt}>
      {selection && (
        <div className={styles.pick}>
          <SelectRowCheckbox selection={selection} row={row} />
        </div>
      )}
      <CardParts card={card} wide={wide} />
    </li>
  )
}

function CardParts({
  card: { title, details = [], middle = [], aside = [], actions },
  wide,
}: {
  card: RowCard
  wide: boolean
}) {
  const below = pieces(middle)
  return (
    <>
      <div className={styles.main}>
        <div className={styles.name}>{title}</div>
        {wide ? (
          <DotLine parts={details} className={styles.detail} />
        ) : (
          pieces(details, styles.detail)
        )}
      </div>
      {below.length > 0 && <div className={styles.middle}>{below}</div>}
      {aside.length > 0 && <div className={styles.aside}>{pieces(aside)}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </>
  )
}

/** As high as a line of text. */
const waitingLine = (width: string, isPill = false) => (
  <span className={styles.waiting} data-pill={isPill || undefined}>
    <Skeleton width={width} />
  </span>
)

const waitingLines = (count: number, widths: readonly string[], pillAt?: number) =>
  Array.from({ length: count }, (_, i) =>
    waitingLine(widths[i % widths.length] ?? '', i === pillAt),
  )

type LoadingCardsProps = {
  count: number
  parts: LoadingCard | undefined
  withPick: boolean
  wide: boolean
}

function LoadingCards({ count, parts = {}, withPick, wide }: LoadingCardsProps) {
  const { details = 2, middle = 0, aside = 2, pillAt, actions = false, actionsAt } = parts
  const card: RowCard = {
    title: waitingLine('9em'),
    details: waitingLines(wide ? Math.min(details, 1) : details, ['12em', '8em', '10em']),
    middle: waitingLines(middle, ['14em', '9em']),
    aside: waitingLines(aside, ['3.5em', '5em'], pillAt),
    actions: actions && (
      <span className={styles.waitingButton}>
        <Skeleton width="var(--control-small)" height="var(--control-small)" />
      </span>
    ),
    actionsAt,
  }
  return (
    <div className={styles.list} data-loading aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className={styles.item} data-actions={actionsAt}>
          {withPick && (
            <div className={styles.pick}>
              <Skeleton width="var(--space-5)" height="var(--space-5)" />
            </div>
          )}
          <CardParts card={card} wide={wide} />
        </div>
      ))}
    </div>
  )
}
