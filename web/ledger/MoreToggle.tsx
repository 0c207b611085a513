import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import styles from './MoreToggle.module.css'

type MoreToggleProps = {
  texts: { show: string; hide: string }
  /** For screen readers: whose details they are. */
  subject: string
  children: ReactNode
}

/** Opens what lies behind a line of the statement. The content is rendered only while it is open. */
export function MoreToggle({ texts, subject, children }: MoreToggleProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={styles.more}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight aria-hidden="true" />
        <span>
          {open ? texts.hide : texts.show}
          <span className="visually-hidden"> {subject}</span>
        </span>
      </button>
      {open && (
        <div id={id} className={styles.content}>
          {children}
        </div>
      )}
    </div>
  )
}
