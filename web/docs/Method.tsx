import styles from './Method.module.css'

/** Beside a title there is room for four letters. */
const SHORT: Record<string, string> = { DELETE: 'DEL' }

/** The method of a call; what changes something is stronger than what reads. */
export function Method({ method, isShort }: { method: string; isShort?: boolean }) {
  return (
    <span className={styles.method} data-reads={method === 'GET' ? '' : undefined}>
      {(isShort && SHORT[method]) || method}
    </span>
  )
}
