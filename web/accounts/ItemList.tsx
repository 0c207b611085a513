/** What belongs to an account (keys, webhooks, sign-in methods) as a list: one row each, with its actions at the end. */
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'
import styles from './ItemList.module.css'

export function ItemList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>
}

type ItemTextProps = {
  /** With its status behind it. */
  name: ReactNode
  /** The lines below the name. */
  children: ReactNode
}

/** A name and what is known of it. */
export function ItemText({ name, children }: ItemTextProps) {
  return (
    <div className={styles.about}>
      <span className={styles.name}>{name}</span>
      {children}
    </div>
  )
}

type ItemProps = ItemTextProps & {
  icon: Icon
  /** Buttons and the menu. */
  actions: ReactNode
  className?: string
}

export function Item({ icon: ItemIcon, name, children, actions, className }: ItemProps) {
  return (
    <li className={cx(styles.item, className)}>
      <ItemIcon className={styles.icon} aria-hidden="true" />
      <ItemText name={name}>{children}</ItemText>
      {actions}
    </li>
  )
}

/** A line of less weight. */
export function ItemHint({ children }: { children: ReactNode }) {
  return <span className={styles.hint}>{children}</span>
}

/** Below the list: an optional note at the left, and what adds another item. */
export function ItemListFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.foot}>
      {note && <p className={styles.hint}>{note}</p>}
      {children}
    </div>
  )
}
