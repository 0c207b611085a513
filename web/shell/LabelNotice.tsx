import type { ReactNode } from 'react'
import { PRODUCT } from '#contract/product.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { SpecimenLabel } from './SpecimenLabel.tsx'
import styles from './NotFound.module.css'

type LabelNoticeProps = {
  /** What the picture says in place of weight, service and receiver. */
  picture: { weight: string; service: string; to: string[] }
  title: string
  text: ReactNode
  action?: ReactNode
  /** h1 where the page has no other title. */
  heading?: 'h1' | 'h2'
}

/** In place of a page that has nothing to show: a label that says why, and a way on. */
export function LabelNotice({ picture, title, text, action, heading = 'h2' }: LabelNoticeProps) {
  return (
    <section className={styles.notice} aria-label={title}>
      <SpecimenLabel className={styles.label} from={[PRODUCT.toUpperCase()]} {...picture} />
      <EmptyState heading={heading} title={title} text={text} action={action} />
    </section>
  )
}
