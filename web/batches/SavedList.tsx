import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { isFocusLost } from '#web/ui/use-return-focus.ts'
import styles from './SavedList.module.css'

type SavedListProps = {
  /** Accessible name of the list. */
  name: string
  count: number
  /** In place of the list while `count` is 0. */
  empty: string
  /** An action of the list is being confirmed in a dialog. */
  isAsking?: boolean
  children: ReactNode
}

/** What the user has saved, in a dialog. A deleted entry leaves the focus to the list. */
export function SavedList({ name, count, empty, isAsking = false, children }: SavedListProps) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef(count)
  useEffect(() => {
    if (isAsking) return
    const isFewer = count < before.current
    before.current = count
    if (!isFewer) return
    // After a dialog has tried to give the focus back.
    const timer = setTimeout(() => isFocusLost() && box.current?.focus({ preventScroll: true }))
    return () => clearTimeout(timer)
  }, [count, isAsking])
  return (
    <div ref={box} tabIndex={-1}>
      {count > 0 ? (
        <ul className={styles.list} aria-label={name}>
          {children}
        </ul>
      ) : (
        <p>{empty}</p>
      )}
    </div>
  )
}

type SavedItemProps = {
  name: string
  /** When it was saved or used. */
  details: string
  /** Buttons. */
  children: ReactNode
}

export const SavedItem = ({ name, details, children }: SavedItemProps) => (
  <li className={styles.item}>
    <span className={styles.text}>
      <b>{name}</b>
      <span>{details}</span>
    </span>
    {children}
  </li>
)
