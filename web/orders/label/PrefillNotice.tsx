import { Link } from 'react-router'
import { texts } from '#web/orders/details/texts.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import type { PrefillState } from './use-prefill.ts'

/** Says which label the form was filled in from, and marks a return. */
export function PrefillNotice({ prefill }: { prefill: PrefillState }) {
  const { kind, orderId, receiver, state } = prefill
  const t = texts.prefill
  if (state === 'loading') return <Notice tone="neutral">{t.loading}</Notice>
  if (state === 'failed') return <Notice tone="yellow">{t.failed}</Notice>
  return (
    <Notice tone="blue">
      {t[kind](receiver)} <Link to={`/main/orders/${orderId}`}>{t.open(orderId)}</Link>
    </Notice>
  )
}
