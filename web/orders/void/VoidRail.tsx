import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { Order } from '#contract/orders.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import type { BalanceOwner } from './texts.ts'
import { texts } from './texts.ts'
import { voidRail } from './void-rail.ts'
import styles from './Void.module.css'

type VoidRailProps = {
  /** One label whose void is requested, or the sum of those that would be voided. */
  order: Pick<Order, 'price' | 'void' | 'voidSubmittedAt'>
  owner?: BalanceOwner
}

/** From the request to the refund, with the days that the carrier takes. */
export function VoidRail({ order, owner = 'own' }: VoidRailProps) {
  const [now] = useState(Date.now)
  const { data: settings } = usePublicSettings()
  if (!settings) return null
  const steps = voidRail({
    dollars: order.price,
    owner,
    decisionDays: settings.voidDecisionDays,
    isRequested: order.void === 'requested',
    submittedAt: order.voidSubmittedAt,
    now,
  })
  return (
    <ol className={styles.rail} aria-label={texts.rail.name}>
      {steps.map(({ name, text, state }) => (
        <li key={name} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span className={styles.dot} aria-hidden="true">
            {state === 'done' && <IconCheck />}
          </span>
          <span className={styles.railName}>{name}</span>
          <span className={styles.railText}>{text}</span>
        </li>
      ))}
    </ol>
  )
}
