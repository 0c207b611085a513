/** The administrator's word where the carrier's never comes: what became of a label, or of its void, and what follows for the money. */
import { useState } from 'react'
import { REASON_MAX } from '#contract/accounts.ts'
import type { AdminOrder, OrderStory } from '#contract/admin.ts'
import { endLabel, endVoid } from '#contract/by-hand.ts'
import { fromDollars, usdFromDollars } from '#contract/money.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { Choices } from '#web/ui/Choices.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { texts } from './texts.ts'
import styles from './Story.module.css'

const say = texts.hand

export type What = NonNullable<OrderStory['hand']>['what']
/** The label as it is after it was ended, and what the administrator is told of it. */
export type EndAnswer = OrderStory & { message: string }

type EndProps = {
  order: AdminOrder
  what: What
  onClose: () => void
  onEnded: (answer: EndAnswer) => void
  onRefused: () => void
}

/** Asked for by a button of the story; gone with its answer. */
export function EndDialog({ order, what, onClose, onEnded, onRefused }: EndProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const [word, setWord] = useState<Word>({
    outcome: what === 'label' ? 'sold' : 'paid-back',
    trackingNumber: '',
    cost: '',
    reason: '',
  })
  const put = (part: Partial<Word>) => {
    setWord({ ...word, ...part })
    setErrors({})
  }
  const submit = async () => {
    setFailure(null)
    const wrong = errorsOf(word)
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      onEnded(await tell(order._id, word))
    } catch (refused) {
      const named = refused instanceof ApiError ? refused.errors.trackingNumber : undefined
      if (named) setErrors({ trackingNumber: named })
      else setFailure(messageOf(refused, say.failed))
      // Somebody else may have been first, or the carrier has answered.
      onRefused()
      setBusy(false)
    }
  }
  const wait = busy ? say.wait : null
  const price = usdFromDollars(order.price)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={say[what].question}
      size="small"
      closeButton={false}
      closeDisabledReason={wait}
    >
      <Form onSubmit={submit} className={styles.ending}>
        <p>{say.first}</p>
        <Choices
          label={say.happened}
          value={word.outcome}
          onChange={outcome => put({ outcome })}
          options={say[what].choices(price)}
        />
        {word.outcome === 'sold' && (
          <>
            <TextField
              label={say.tracking}
              error={errors.trackingNumber}
              required
              autoComplete="off"
              maxLength={60}
              value={word.trackingNumber}
              onChange={event => put({ trackingNumber: event.currentTarget.value })}
            />
            <TextField
              label={say.cost}
              description={say.costHint}
              error={errors.cost}
              autoComplete="off"
              inputMode="decimal"
              maxLength={12}
              value={word.cost}
              onChange={event => put({ cost: event.currentTarget.value })}
            />
          </>
        )}
        <TextField
          label={say.reason}
          description={say.reasonHint}
          error={errors.reason}
          required
          autoComplete="off"
          maxLength={REASON_MAX}
          value={word.reason}
          onChange={event => put({ reason: event.currentTarget.value })}
        />
        <ErrorLine>{failure}</ErrorLine>
        <div className={styles.endingButtons}>
          <Button onClick={onClose} disabledReason={wait}>
            {say.cancel}
          </Button>
          <Button kind="ink" type="submit" busy={busy}>
            {say.end}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type Outcome = 'sold' | 'not-sold' | 'paid-back' | 'refused'
type Word = { outcome: Outcome; trackingNumber: string; cost: string; reason: string }
type Errors = Partial<Record<'trackingNumber' | 'cost' | 'reason', string>>

/** Dollars as they are typed; null where they are none. */
const costOf = (text: string): number | null => {
  const typed = text.trim().replace(/^\$/, '')
  const dollars = Number(typed)
  return /^\d+(\.\d*)?$/.test(typed) && fromDollars(dollars) !== null ? dollars : null
}

const errorsOf = ({ outcome, trackingNumber, cost, reason }: Word): Errors => ({
  ...(outcome === 'sold'
    && trackingNumber.trim() === '' && { trackingNumber: say.trackingMissing }),
  ...(outcome === 'sold' && cost.trim() !== '' && costOf(cost) === null && { cost: say.costWrong }),
  ...(reason.trim() === '' && { reason: say.reasonMissing }),
})

function tell(
  orderId: string,
  { outcome, trackingNumber, cost, reason }: Word,
): Promise<EndAnswer> {
  const params = { orderId }
  if (outcome === 'paid-back' || outcome === 'refused')
    return send(endVoid, { params, body: { outcome, reason: reason.trim() } })
  const known = costOf(cost)
  const sold = outcome === 'sold' ? { trackingNumber, ...(known !== null && { cost: known }) } : {}
  return send(endLabel, { params, body: { outcome, ...sold, reason: reason.trim() } })
}
