/** Confirms a void, waits for the carrier, and shows the result for each label. */
import { useState } from 'react'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import { voidOrder, voidOrders } from '#contract/voids.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { RefundPolicyLink } from '#web/support/RefundPolicyLink.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { notifyPage, toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import type { BalanceOwner } from './texts.ts'
import { summarizeVoids, totalPriceDollars } from './void-summary.ts'
import type { VoidResponse, VoidSummary } from './void-summary.ts'
import { VoidSteps } from './VoidSteps.tsx'
import styles from './Void.module.css'

const MAX_LISTED_LABELS = 5

type VoidDialogProps = {
  /** The labels to void; null while the dialog is closed. */
  orders: readonly Order[] | null
  balanceOwner: BalanceOwner
  refresh: () => Promise<unknown>
  onClose: () => void
}

export function VoidDialog({ orders, balanceOwner, refresh, onClose }: VoidDialogProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [summary, setSummary] = useState<VoidSummary | null>(null)
  // While the dialog fades out it still shows the last labels.
  const [shownOrders, setShownOrders] = useState<readonly Order[]>([])
  if (orders && orders !== shownOrders) {
    setShownOrders(orders)
    setError(null)
    setSummary(null)
  }
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      const result = summarizeVoids(shownOrders, await submitVoids(shownOrders))
      await refresh()
      if (result.refused.length > 0) return setSummary(result)
      notifyVoided(result, balanceOwner)
      onClose()
    } catch (reason) {
      setError(messageOf(reason, texts.failed))
      // Without a response the labels may be voided all the same.
      await refresh()
    } finally {
      setBusy(false)
    }
  }
  const disabledReason = busy ? uiTexts.wait : null
  const actions = summary ? (
    <Button kind="ink" ref={focusButton} onClick={onClose}>
      {texts.close}
    </Button>
  ) : (
    <>
      <Button data-autofocus onClick={onClose} disabledReason={disabledReason}>
        {texts.cancel}
      </Button>
      <Button kind="danger" busy={busy} onClick={submit}>
        {texts.confirm(shownOrders.length)}
      </Button>
    </>
  )
  return (
    <Dialog
      opened={orders !== null}
      onClose={onClose}
      size="small"
      closeButton={false}
      closeDisabledReason={disabledReason}
      title={
        summary
          ? texts.resultTitle(summary.refused.length === shownOrders.length)
          : texts.question(shownOrders.length)
      }
      actions={actions}
    >
      {summary ? (
        <VoidRefusals summary={summary} balanceOwner={balanceOwner} />
      ) : (
        <VoidQuestion orders={shownOrders} balanceOwner={balanceOwner} />
      )}
      <ErrorLine>{error}</ErrorLine>
    </Dialog>
  )
}

/** The pressed button is gone, so keyboard focus moves to the one that replaced it. */
const focusButton = (button: HTMLButtonElement | null) => button?.focus()

/** Without a refusal the dialog closes. A pending void shows its message longer. */
function notifyVoided(summary: VoidSummary, balanceOwner: BalanceOwner): void {
  const sentences = voidSentences(summary, balanceOwner).join(' ')
  if (summary.waiting > 0) notifyPage('yellow', sentences)
  else toastSuccess(sentences)
}

function voidSentences(
  { voided, refunded, waiting }: VoidSummary,
  balanceOwner: BalanceOwner,
): string[] {
  return [
    ...(voided > 0
      ? [
          texts.voided(voided),
          ...(refunded > 0 ? [texts.refunded(usdFromDollars(refunded), balanceOwner)] : []),
        ]
      : []),
    ...(waiting > 0 ? [texts.waiting(waiting), texts.waitingRefund(waiting)] : []),
  ]
}

function VoidQuestion({
  orders,
  balanceOwner,
}: {
  orders: readonly Order[]
  balanceOwner: BalanceOwner
}) {
  const amount = totalPriceDollars(orders)
  const hidden = orders.length - MAX_LISTED_LABELS
  const onForms = orders.filter(({ scanForm }) => scanForm).length
  return (
    <>
      <ul className={styles.labels}>
        {orders.slice(0, MAX_LISTED_LABELS).map(order => (
          <li key={order._id}>
            <LabelLine order={order} />
          </li>
        ))}
        {hidden > 0 && <li className={styles.more}>{texts.more(hidden)}</li>}
      </ul>
      <p className={styles.amount}>
        {amount > 0 ? texts.refund(usdFromDollars(amount), balanceOwner) : texts.free}
      </p>
      <VoidSteps
        order={{ price: amount, void: null, voidSubmittedAt: null }}
        owner={balanceOwner}
      />
      {onForms > 0 && <Notice tone="yellow">{texts.onForm(onForms)}</Notice>}
      <p className={styles.warning}>
        {texts.permanent(orders.length)} <RefundPolicyLink />
      </p>
    </>
  )
}

function VoidRefusals({
  summary,
  balanceOwner,
}: {
  summary: VoidSummary
  balanceOwner: BalanceOwner
}) {
  const { refused } = summary
  const sentences = voidSentences(summary, balanceOwner)
  return (
    <div className={styles.results} role="status">
      {sentences.length > 0 && (
        <Notice tone={summary.waiting > 0 ? 'yellow' : 'green'}>{sentences.join(' ')}</Notice>
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
              <LabelLine order={order} />
              <span className={styles.why}>{why}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

function LabelLine({ order: { receiver, tracking_number: tracking, price } }: { order: Order }) {
  return (
    <span className={styles.label}>
      <span className={styles.name}>{receiver.receiver_name || texts.noName}</span>
      <span className={styles.price}>{usdFromDollars(price)}</span>
      <span className={styles.number}>{tracking ? groupTracking(tracking) : texts.noTracking}</span>
    </span>
  )
}

/** Label not found, never bought, or refused by the carrier. */
const REFUSAL_STATUSES = [404, 409, 422]

/**
 * Voids labels. Throws what `send` throws if no result is known. A single label has its own, faster
 * call.
 */
async function submitVoids(orders: readonly Order[]): Promise<VoidResponse[]> {
  const [first, ...others] = orders.map(({ _id }) => _id)
  if (first === undefined) return []
  if (others.length > 0)
    return (await send(voidOrders, { body: { orderIds: [first, ...others] } })).results
  try {
    const { order, message } = await send(voidOrder, { params: { orderId: first } })
    return [{ orderId: first, void: order.void ?? 'requested', message }]
  } catch (reason) {
    if (!(reason instanceof ApiError && REFUSAL_STATUSES.includes(reason.status))) throw reason
    return [{ orderId: first, void: 'refused', message: reason.message }]
  }
}
