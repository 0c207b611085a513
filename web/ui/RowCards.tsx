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
}: RowCardsProps<Row>) {
  const waiting = useDelayedLoading(rows === undefined)
  if (rows === undefined)
    return waiting && <LoadingCards count={loadingCards} withPick={selection !== undefined} />
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

function RowAsCard<Row>({
  row,
  card: { title, details = [], middle = [], aside = [], actions, actionsAt },
  tone,
  selection,
  wide,
}: RowAsCardProps<Row>) {
  return (
    <li className={styles.item} data-tone={tone} data-actions={actionsAt}>
      {selection && (
        <div className={styles.pick}>
          <SelectRowCheckbox selection={selection} row={row} />
        </div>
      )}
      <div className={styles.main}>
        <div className={styles.name}>{title}</div>
        {wide ? (
          <DotLine parts={details} className={styles.detail} />
        ) : (
          pieces(details, styles.detail)
        )}
      </div>
      {middle.length > 0 && <div className={styles.middle}>{pieces(middle)}</div>}
      {aside.length > 0 && <div className={styles.aside}>{pieces(aside)}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  )
}

function LoadingCards({ count, withPick }: { count: number; withPick: boolean }) {
  return (
    <div className={styles.list} aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className={styles.item} data-waiting>
          {withPick && (
            <div className={styles.pick}>
              <Skeleton width="var(--space-5)" height="var(--space-5)" />
            </div>
          )}
          <div className={styles.main}>
            <div className={styles.waiting}>
              <Skeleton width="40%" />
              <Skeleton width="65%" />
            </div>
          </div>
          <div className={styles.aside}>
            <Skeleton width="var(--space-16)" />
            <Skeleton width="var(--dock)" height="var(--space-5)" />
          </div>
        </div>
      ))}
    </div>
  )
}
