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
import styles from './Payments.module.css'

const ICON: Record<DepositAppearance['icon'], Icon> = {
  open: IconClock,
  busy: IconLoader,
  done: IconCircleCheck,
  over: IconClockX,
  bad: IconAlertTriangle,
}

/** A deposit's status as a pill. With the sign, because an invalid deposit is green by the specification and not good at all. */
export function DepositStatus({ status }: { status: string }) {
  const { tone, icon } = depositAppearance(status)
  const Sign = ICON[icon]
  return (
    <StatusPill tone={tone}>
      <span className={styles.status}>
        <Sign aria-hidden="true" />
        {status}
      </span>
    </StatusPill>
  )
}
