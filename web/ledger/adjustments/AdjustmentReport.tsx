/** One adjustment: what the carrier changed and measured, what the customer pays, and their dispute. */
import { useEffect, useRef, useState } from 'react'
import { MAX_DISPUTE } from '#contract/adjustments.ts'
import type { Adjustment, AdjustmentState, Measures } from '#contract/adjustments.ts'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import type { Tone } from '#web/ui/tone.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import { useDispute } from './use-adjustments.ts'
import styles from './Adjustments.module.css'

export const ADJUSTMENT_TONE: Record<AdjustmentState, Tone> = {
  unmatched: 'red',
  absorbed: 'neutral',
  charged: 'blue',
  waiting: 'yellow',
  credited: 'green',
  credited_back: 'green',
}

/** `userId`: of the customer. Only they can dispute. */
export function AdjustmentReport({
  userId,
  adjustment,
}: {
  userId: string
  adjustment: Adjustment
}) {
  const { day, createdAt, state, dispute } = adjustment
  const isOwn = useUser()._id === userId
  const canDispute = isOwn && (state === 'charged' || state === 'waiting') && !dispute
  return (
    <article className={styles.report}>
      <p className={styles.head}>
        <StatusPill tone={ADJUSTMENT_TONE[state]}>{texts.states[state]}</StatusPill>
        <DateTime at={day ? `${day}T12:00` : createdAt} day />
      </p>
      <p>{moneyText(adjustment)}</p>
      <EvidenceTable adjustment={adjustment} />
      {dispute && <DisputeFacts dispute={dispute} />}
      {canDispute && <DisputeForm userId={userId} adjustment={adjustment} />}
    </article>
  )
}

function moneyText({ amount, waiting, creditedBack }: Adjustment): string {
  const parts = [
    amount < 0 ? texts.youGot(usdFromDollars(-amount)) : texts.youPay(usdFromDollars(amount)),
    ...(waiting > 0 ? [texts.waits(usdFromDollars(waiting))] : []),
    ...(creditedBack > 0 ? [texts.creditedBack(usdFromDollars(creditedBack))] : []),
  ]
  return parts.join(' ')
}

/** The carrier's own reason where it measured nothing. */
export function EvidenceTable({ adjustment }: { adjustment: Adjustment }) {
  const { declared, measured, reason } = adjustment
  const keys = (Object.keys(texts.measures) as (keyof Measures)[]).filter(
    key => measured[key] !== undefined,
  )
  if (keys.length === 0) return <p className={styles.quiet}>{reason}</p>
  return (
    <table className={styles.evidence}>
      <caption className="visually-hidden">{texts.evidence}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.what}</th>
          <th scope="col">{texts.declared}</th>
          <th scope="col">{texts.measured}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map(key => (
          <tr key={key} data-differs={declared[key] !== measured[key] || undefined}>
            <th scope="row">{texts.measures[key]}</th>
            <td>{measureText(key, declared)}</td>
            <td>{measureText(key, measured)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function measureText(key: keyof Measures, of: Measures): string {
  const value = of[key]
  if (value === undefined) return texts.notTold
  if (typeof value === 'string') return value
  return key === 'weightOz' ? texts.ounces(numberText(value)) : texts.inches(numberText(value))
}

function DisputeFacts({ dispute }: { dispute: NonNullable<Adjustment['dispute']> }) {
  const { note, state, answer } = dispute
  const decision =
    state === 'open'
      ? texts.open
      : state === 'credited'
        ? texts.states.credited_back
        : texts.declined
  return (
    <dl className={styles.dispute}>
      <dt>{texts.disputed}</dt>
      <dd>{note}</dd>
      <dt>{texts.decided}</dt>
      <dd>{answer ? `${decision}: ${answer}` : decision}</dd>
    </dl>
  )
}

function DisputeForm({ userId, adjustment }: { userId: string; adjustment: Adjustment }) {
  const dispute = useDispute(userId)
  const [open, setOpen] = useState(false)
  const [note, setNote] = useState('')
  const [attempted, setAttempted] = useState(false)
  const { busy, refused, clearRefusal, run } = useAction(texts.sendFailed)
  const field = useRef<HTMLTextAreaElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => (open ? field.current?.focus() : undefined), [open])
  const cancel = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (!open) {
    return (
      <div>
        <Button
          ref={opener}
          size="small"
          aria-label={texts.disputeOf(adjustment.orderId ?? '')}
          onClick={() => setOpen(true)}
        >
          {texts.dispute}
        </Button>
      </div>
    )
  }
  const submit = () => {
    setAttempted(true)
    if (note.trim() === '') return clearRefusal()
    return run(async () => {
      await dispute(adjustment._id, note.trim())
      toastSuccess(texts.sent)
    })
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <TextAreaField
        label={texts.note}
        description={texts.noteHint}
        required
        ref={field}
        rows={3}
        maxLength={MAX_DISPUTE}
        value={note}
        error={attempted && note.trim() === '' ? texts.noteMissing : null}
        onChange={event => setNote(event.currentTarget.value)}
      />
      <ErrorLine>{refused}</ErrorLine>
      <div className={styles.buttons}>
        <Button size="small" onClick={cancel}>
          {texts.cancel}
        </Button>
        <Button size="small" kind="ink" type="submit" busy={busy}>
          {texts.send}
        </Button>
      </div>
    </Form>
  )
}
