/** A sentence that needs reading: tinted by tone, with an icon, announced when it appears. */
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Tone } from './tone.ts'
import styles from './ErrorLine.module.css'

/** What went wrong, above the button of a form. Nothing is drawn without a text. */
export function ErrorLine({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <div role="alert" className={styles.line} data-tone="red">
      <IconAlertCircle aria-hidden="true" />
      <span>{children}</span>
    </div>
  )
}

export const TONE_ICON: Record<Tone, typeof IconInfoCircle> = {
  blue: IconInfoCircle,
  green: IconCircleCheck,
  yellow: IconAlertTriangle,
  red: IconAlertCircle,
  neutral: IconInfoCircle,
}

/** A notice in the page; `action` stands at its end. */
export function Notice({
  tone,
  children,
  action,
}: {
  tone: Tone
  children: ReactNode
  action?: ReactNode
}) {
  const Icon = TONE_ICON[tone]
  return (
    <div role={tone === 'red' ? 'alert' : 'status'} className={styles.line} data-tone={tone}>
      <Icon aria-hidden="true" />
      <span>{children}</span>
      {action && <span className={styles.action}>{action}</span>}
    </div>
  )
}
