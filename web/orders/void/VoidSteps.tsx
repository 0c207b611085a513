import { useState } from 'react'
import type { Order } from '#contract/orders.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { serverNow } from '#web/client/server-clock.ts'
import { StepRail } from '#web/ui/StepRail.tsx'
import type { BalanceOwner } from './texts.ts'
import { texts } from './texts.ts'
import { voidSteps } from './void-steps.ts'

type VoidStepsProps = {
  /** One label whose void is requested, or the sum of those that would be voided. */
  order: Pick<Order, 'price' | 'void' | 'voidSubmittedAt' | 'refundDueAt'>
  owner?: BalanceOwner
}

/** From the request to the refund, with the days that the carrier takes. */
export function VoidSteps({ order, owner = 'own' }: VoidStepsProps) {
  const [now] = useState(serverNow)
  const { data: settings } = usePublicSettings()
  if (!settings) return null
  const steps = voidSteps({
    dollars: order.price,
    owner,
    decisionDays: settings.voidDecisionDays,
    delayDays: settings.refundDelayDays,
    dueAt: order.refundDueAt ?? null,
    isRequested: order.void === 'requested',
    submittedAt: order.voidSubmittedAt,
    now,
  })
  return <StepRail vertical name={texts.steps.name} steps={steps} />
}
