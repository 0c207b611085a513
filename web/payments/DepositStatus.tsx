import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconClockX,
  IconLoader,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import type { DepositAppearance } from './deposit-appearance.ts'
import { depositAppearance } from './deposit-appearance.ts'
import { texts } from './texts.ts'
import styles from './Payments.module.css'

const ICON: Record<DepositAppearance['icon'], Icon> = {
  open: IconClock,
  busy: IconLoader,
  done: IconCircleCheck,
  over: IconClockX,
  bad: IconAlertTriangle,
}

/**
 * An open invoice says what it waits for. The icon matters: an invalid deposit is as green as a new
 * one (docs/requirements.md#payments).
 */
export function DepositStatus({ status }: { status: string }) {
  const { tone, icon } = depositAppearance(status)
  const StatusIcon = ICON[icon]
  return (
    <StatusPill tone={tone} filled>
      <span className={styles.status}>
        <StatusIcon aria-hidden="true" />
        {status === 'New' ? texts.steps.waiting : status}
      </span>
    </StatusPill>
  )
}
