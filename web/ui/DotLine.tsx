/** Short texts in one line with dots between them. Where the line wraps, no dot starts or ends a line. */
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './DotLine.module.css'

/** Empty parts are left out. */
export function DotLine({ parts, className }: { parts: ReactNode[]; className?: string }) {
  const shown = parts.filter(Boolean)
  return (
    <span className={cx(styles.line, className)}>
      {shown.map((part, i) => (
        <Fragment key={i}>
          {i > 0 && ' '}
          <span>{part}</span>
        </Fragment>
      ))}
    </span>
  )
}
