/** Manual resolution of a label or void when the carrier gives no answer. */
import { useState } from 'react'
import { REASON_MAX } from '#contract/accounts.ts'
import { resolveLabel, resolveVoid } from '#contract/manual-resolution.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { AdminOrder, OrderDetails } from '#contract/orders-admin.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { TextField } from '#web/ui/Field.tsx'
import { parseDollars } from '#web/ui/money-text.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { SmallFormDialog } from '#web/ui/SmallFormDialog.tsx'
import { texts } from './texts.ts'

const t = texts.manualResolution

export type ResolutionSubject = NonNullable<OrderDetails['hand']>['what']
export type ManualResolutionResult = OrderDetails & { message: string }

type ManualResolutionDialogProps = {
  order: AdminOrder
  subject: ResolutionSubject
  onClose: () => void
  onResolved: (result: ManualResolutionResult) => void
  onRefused: () => void
}

export function ManualResolutionDialog({
  order,
  subject,
  onClose,
  onResolved,
  onRefused,
}: ManualResolutionDialogProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<ResolutionErrors>({})
  const [form, setForm] = useState<ResolutionForm>({
    outcome: subject === 'label' ? 'sold' : 'paid-back',
    trackingNumber: '',
    cost: '',
    reason: '',
  })
  const change = (part: Partial<ResolutionForm>) => {
    setForm({ ...form, ...part })
    setErrors({})
  }
  const submit = async () => {
    setFailure(null)
    const found = resolutionErrors(form)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      onResolved(await sendResolution(order._id, form))
    } catch (refused) {
      const trackingError = refused instanceof ApiError ? refused.errors.trackingNumber : undefined
      if (trackingError) setErrors({ trackingNumber: trackingError })
      else setFailure(messageOf(refused, t.failed))
      // Another administrator was first, or the carrier has answered.
      onRefused()
      setBusy(false)
    }
  }
  const price = usdFromDollars(order.price)
  return (
    <SmallFormDialog
      title={t[subject].question}
      refused={failure}
      submitText={t.submit}
      busy={busy}
      wait={busy ? t.wait : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t.recheck}</p>
      <RadioGroup
        label={t.outcome}
        value={form.outcome}
        onChange={outcome => change({ outcome })}
        options={t[subject].choices(price)}
      />
      {form.outcome === 'sold' && (
        <>
          <TextField
            label={t.tracking}
            error={errors.trackingNumber}
            required
            autoComplete="off"
            maxLength={60}
            value={form.trackingNumber}
            onChange={event => change({ trackingNumber: event.currentTarget.value })}
          />
          <TextField
            label={t.cost}
            description={t.costHint}
            error={errors.cost}
            autoComplete="off"
            inputMode="decimal"
            maxLength={12}
            value={form.cost}
            onChange={event => change({ cost: event.currentTarget.value })}
          />
        </>
      )}
      <TextField
        label={t.reason}
        description={t.reasonHint}
        error={errors.reason}
        required
        autoComplete="off"
        maxLength={REASON_MAX}
        value={form.reason}
        onChange={event => change({ reason: event.currentTarget.value })}
      />
    </SmallFormDialog>
  )
}

type ResolutionOutcome = 'sold' | 'not-sold' | 'paid-back' | 'refused'
type ResolutionForm = {
  outcome: ResolutionOutcome
  trackingNumber: string
  cost: string
  reason: string
}
type ResolutionErrors = Partial<Record<'trackingNumber' | 'cost' | 'reason', string>>

const resolutionErrors = ({
  outcome,
  trackingNumber,
  cost,
  reason,
}: ResolutionForm): ResolutionErrors => ({
  ...(outcome === 'sold' && trackingNumber.trim() === '' && { trackingNumber: t.trackingMissing }),
  ...(outcome === 'sold'
    && cost.trim() !== ''
    && parseDollars(cost) === null && { cost: t.costWrong }),
  ...(reason.trim() === '' && { reason: t.reasonMissing }),
})

function sendResolution(
  orderId: string,
  { outcome, trackingNumber, cost, reason }: ResolutionForm,
): Promise<ManualResolutionResult> {
  const params = { orderId }
  if (outcome === 'paid-back' || outcome === 'refused')
    return send(resolveVoid, { params, body: { outcome, reason: reason.trim() } })
  const known = parseDollars(cost)
  const sold = outcome === 'sold' ? { trackingNumber, ...(known !== null && { cost: known }) } : {}
  return send(resolveLabel, { params, body: { outcome, ...sold, reason: reason.trim() } })
}
