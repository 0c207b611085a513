/** Asks before labels are voided, waits for the carrier's answers, and says what became of each. */
import { useState } from 'react'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import { messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { texts as kit } from '#web/ui/texts.ts'
import { notifyPage, toastSuccess } from '#web/ui/toasts.ts'
import { askToVoid } from './ask.ts'
import { outcomeOf, total } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { texts } from './texts.ts'
import type { Purse } from './texts.ts'
import styles from './Void.module.css'

/** So many labels are named before the rest is only counted. */
const MOST_NAMED = 5

type VoidDialogProps = {
  /** The labels in question; null while nothing is asked. */
  orders: readonly Order[] | null
  purse: Purse
  refresh: () => Promise<unknown>
  onClose: () => void
}

export function VoidDialog({ orders, purse, refresh, onClose }: VoidDialogProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  // While it fades out it still shows what was asked last.
  const [last, setLast] = useState<readonly Order[]>([])
  if (orders && orders !== last) {
    setLast(orders)
    setError(null)
    setOutcome(null)
  }
  const go = async () => {
    setBusy(true)
    setError(null)
    try {
      const found = outcomeOf(last, await askToVoid(last))
      await refresh()
      if (found.refused.length > 0) return setOutcome(found)
      say(found, purse)
      onClose()
    } catch (reason) {
      setError(messageOf(reason, texts.failed))
      // Without an answer the labels may have been voided all the same.
      await refresh()
    } finally {
      setBusy(false)
    }
  }
  const shut = busy ? kit.wait : null
  const actions = outcome ? (
    <Button kind="ink" ref={takeFocus} onClick={onClose}>
      {texts.close}
    </Button>
  ) : (
    <>
      <Button data-autofocus onClick={onClose} disabledReason={shut}>
        {texts.cancel}
      </Button>
      <Button kind="danger" busy={busy} onClick={go}>
        {texts.confirm(last.length)}
      </Button>
    </>
  )
  return (
    <Dialog
      opened={orders !== null}
      onClose={onClose}
      size="small"
      closeButton={false}
      closeDisabledReason={shut}
      returnFocus={false}
      title={
        outcome
          ? texts.outcome(outcome.refused.length === last.length)
          : texts.question(last.length)
      }
      actions={actions}
    >
      {outcome ? <Told outcome={outcome} purse={purse} /> : <Asked orders={last} purse={purse} />}
      <ErrorLine>{error}</ErrorLine>
    </Dialog>
  )
}

/** The button that was pressed went with the question; whoever works by keyboard goes on with the one that took its place. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus()

/** All went well, or will: no reason to keep anybody. What is still to come is said for longer. */
function say(outcome: Outcome, purse: Purse): void {
  const sentences = sentencesOf(outcome, purse).join(' ')
  if (outcome.waiting > 0) notifyPage('yellow', sentences)
  else toastSuccess(sentences)
}

function sentencesOf({ voided, back, waiting }: Outcome, purse: Purse): string[] {
  return [
    ...(voided > 0
      ? [texts.voided(voided), ...(back > 0 ? [texts.back(usdFromDollars(back), purse)] : [])]
      : []),
    ...(waiting > 0 ? [texts.waiting(waiting), texts.waitingHow(waiting)] : []),
  ]
}

function Asked({ orders, purse }: { orders: readonly Order[]; purse: Purse }) {
  const amount = total(orders)
  const hidden = orders.length - MOST_NAMED
  return (
    <>
      <ul className={styles.labels}>
        {orders.slice(0, MOST_NAMED).map(order => (
          <li key={order._id}>
            <Label order={order} />
          </li>
        ))}
        {hidden > 0 && <li className={styles.more}>{texts.more(hidden)}</li>}
      </ul>
      <p className={styles.amount}>
        {amount > 0 ? texts.comesBack(usdFromDollars(amount), purse) : texts.free}
      </p>
      <p className={styles.warning}>{texts.forGood(orders.length)}</p>
    </>
  )
}

function Told({ outcome, purse }: { outcome: Outcome; purse: Purse }) {
  const { refused } = outcome
  const good = sentencesOf(outcome, purse)
  return (
    <div className={styles.told} role="status">
      {good.length > 0 && (
        <Notice tone={outcome.waiting > 0 ? 'yellow' : 'green'}>{good.join(' ')}</Notice>
      )}
      <p>{texts.refused(refused.length)}</p>
      <div
        className={styles.scroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must reach a scrolling box
        tabIndex={0}
        role="group"
        aria-label={texts.refused(refused.length)}
      >
        <ul className={styles.labels}>
          {refused.map(({ order, why }) => (
            <li key={order._id}>
              <Label order={order} />
              <span className={styles.why}>{why}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

function Label({ order: { receiver, tracking_number: tracking, price } }: { order: Order }) {
  return (
    <span className={styles.label}>
      <span className={styles.name}>{receiver.receiver_name || texts.noName}</span>
      <span className={styles.price}>{usdFromDollars(price)}</span>
      <span className={styles.number}>{tracking ? groupTracking(tracking) : texts.noTracking}</span>
    </span>
  )
}
