import { Link } from 'react-router'
import { usdFromDollars } from '#contract/money.ts'
import type { LabelDetails } from '#contract/order-details.ts'
import { prefillPath } from '#web/orders/label/prefill.ts'
import { texts as refundTexts } from '#web/orders/refunds/texts.ts'
import { VoidSteps } from '#web/orders/void/VoidSteps.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { texts } from './texts.ts'

const t = texts.state

/** Why a label is not simply bought and valid, and what to do. */
export function LabelStateNotice({ details }: { details: LabelDetails }) {
  const { order, timeline } = details
  const { status, reason, void: voidStatus } = order
  const amount = usdFromDollars(order.price)
  const refunds = <Link to="/main/refunds">{refundTexts.seeAll}</Link>
  if (voidStatus === 'requested')
    return (
      <>
        <VoidSteps order={order} />
        <p>{refunds}</p>
      </>
    )
  if (voidStatus === 'voided')
    return (
      <Notice tone="neutral">
        {t.voided} {refunds}
      </Notice>
    )
  if (voidStatus === 'refused' && reason)
    return <Notice tone="yellow">{t.notVoided(withoutPeriod(reason))}</Notice>
  if (status === 'pending') {
    const isChecked = timeline.some(({ kind }) => kind === 'checking')
    return isChecked ? (
      <Notice tone="yellow">{t.checking(amount)}</Notice>
    ) : (
      <Notice tone="blue">{t.pending(amount)}</Notice>
    )
  }
  if (status === 'completed' && order.scanForm?.state === 'unknown')
    return <Notice tone="yellow">{t.mayBeOnForm}</Notice>
  return status === 'cancelled' ? <FailedNotice details={details} /> : null
}

function FailedNotice({ details: { order, replacedBy } }: { details: LabelDetails }) {
  const { _id: orderId, batch_id: batch, reason } = order
  const text = t.failed(withoutPeriod(reason ?? ''), usdFromDollars(order.price))
  if (replacedBy !== null)
    return (
      <Notice tone="neutral">
        {text} <Link to={`/main/orders?batchId=${replacedBy}`}>{t.replaced(replacedBy)}</Link>
      </Notice>
    )
  return (
    <Notice
      tone="red"
      action={
        batch === null ? (
          <ButtonLink size="small" to={prefillPath({ kind: 'again', orderId })}>
            {t.fix}
          </ButtonLink>
        ) : (
          <ButtonLink size="small" to={`/main/bulk-order?failed=${batch}`}>
            {t.editRows}
          </ButtonLink>
        )
      }
    >
      {text}
    </Notice>
  )
}

const withoutPeriod = (text: string): string => {
  const whole = text.replace(/\.$/, '')
  return whole.charAt(0).toUpperCase() + whole.slice(1)
}
