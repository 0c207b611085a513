import type { ReactNode } from 'react'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { SpecimenLabel } from './SpecimenLabel.tsx'
import styles from './NotFound.module.css'

type LabelNoticeProps = {
  /** What the picture says in place of weight, service and receiver. */
  picture: { weight: string; service: string; to: string[] }
  title: string
  text: ReactNode
  action: ReactNode
}

/** In place of a page that has nothing to show: a label that says why, and a way on. */
export function LabelNotice({ picture, title, text, action }: LabelNoticeProps) {
  return (
    <Card className={styles.notice}>
      <SpecimenLabel className={styles.label} {...picture} />
      <EmptyState heading="h2" title={title} text={text} action={action} />
    </Card>
  )
}
