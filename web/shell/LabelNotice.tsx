import type { ReactNode } from 'react'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PaperSlip } from './PaperSlip.tsx'
import type { SlipTexts } from './PaperSlip.tsx'
import styles from './NotFound.module.css'

type LabelNoticeProps = {
  picture: SlipTexts
  title: string
  text: ReactNode
  action?: ReactNode
  /** h1 where the page has no other title. */
  heading?: 'h1' | 'h2'
  /** As wide as the page, below the buttons. */
  children?: ReactNode
}

/** In place of a page that has nothing to show: a slip that says why, and a way on. */
export function LabelNotice({
  picture,
  title,
  text,
  action,
  heading = 'h2',
  children,
}: LabelNoticeProps) {
  return (
    <section className={styles.notice} aria-label={title}>
      <PaperSlip {...picture} />
      <EmptyState heading={heading} title={title} text={text} action={action} />
      {children && <div className={styles.more}>{children}</div>}
    </section>
  )
}
