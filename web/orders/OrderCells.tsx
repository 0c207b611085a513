/** Cells of the list of orders. */
import { Link, useLocation } from 'react-router'
import { downloadFile } from '#contract/downloads.ts'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import { urlFor } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { texts as details } from './details/texts.ts'
import { displayStatus } from './order-status.ts'
import { cityText, receiverName } from './order-text.ts'
import { ParcelLink } from './ParcelLink.tsx'
import { texts } from './texts.ts'
import styles from './Orders.module.css'

/** To the page behind the label; its way back leads to the same list. */
export function ReceiverLink({ order }: { order: Order }) {
  const { search } = useLocation()
  const { pathOf } = useShownAccount()
  const name = receiverName(order) || details.noName
  const path = pathOf(`/main/orders/${order._id}`)
  if (path === null) return name
  return (
    <Link to={path} state={{ list: search }} className={styles.open}>
      {name}
    </Link>
  )
}

export const ReceiverCell = ({ order }: { order: Order }) => (
  <span className={styles.receiver} title={receiverName(order)}>
    <ReceiverLink order={order} />{' '}
    <span className={styles.second}>{cityText(order.receiver, 'receiver')}</span>
  </span>
)

export const SenderCell = ({ order: { sender } }: { order: Order }) => (
  <span className={styles.sender} title={sender.sender_name}>
    <span>{sender.sender_name}</span>{' '}
    <span className={styles.second}>{cityText(sender, 'sender')}</span>
  </span>
)

export function OrderStatusPill({ order }: { order: Order }) {
  const { tone, text } = displayStatus(order)
  return (
    <StatusPill tone={tone} quiet>
      {text}
    </StatusPill>
  )
}

type PriceCellProps = {
  order: Order
  /** In bold, and what became of it beside it. */
  inCard?: boolean
}

/** What the label takes from the balance: nothing, once it is not bought or refunded. In a table on two lines. */
export function PriceCell({ order, inCard }: PriceCellProps) {
  const { price, status, void: voidStatus } = order
  const isFree = status === 'cancelled'
  return (
    <span className={styles.priceCell} data-card={inCard || undefined}>
      {isFree ? (
        <>
          <s className={styles.struck}>{usdFromDollars(price)}</s>{' '}
          <span className={styles.second}>
            {voidStatus === 'voided' ? texts.refunded : texts.notCharged}
          </span>
        </>
      ) : (
        <span className={styles.price}>{usdFromDollars(price)}</span>
      )}
    </span>
  )
}

/** How much of a number a narrow card shows: '0000 0303 85'. */
const TAIL_LENGTH = 12

/** `short`: its end, by which a seller tells labels apart. A click copies all of it. */
export function TrackingNumber({ number, short }: { number: string; short?: boolean }) {
  const grouped = groupTracking(number)
  return <CopyText value={number}>{short ? `…${grouped.slice(-TAIL_LENGTH)}` : grouped}</CopyText>
}

/** See `orderReason`. */
export function OrderReason({ order }: { order: Order }) {
  const why = orderReason(order)
  return (
    <span className={styles.reason} title={why}>
      {why}
    </span>
  )
}

/** The tracking number, and the reason if there is one. A voided label has both. */
export function TrackingCell({ order }: { order: Order }) {
  const { tracking_number: tracking } = order
  return (
    <span className={styles.tracking}>
      {tracking && <TrackingNumber number={tracking} />}
      <span className={styles.under}>
        {orderReason(order) !== '' && <OrderReason order={order} />}
        <ParcelLink order={order} />
      </span>
    </span>
  )
}

/** Why a label is not simply bought; '' if it is. */
export function orderReason({
  tracking_number: tracking,
  reason,
  status,
  void: voidStatus,
  voidSubmittedAt,
  scanForm,
}: Order): string {
  if (voidStatus === 'requested')
    return voidSubmittedAt ? texts.voidSubmitted(dateText(voidSubmittedAt)) : texts.voidWaits
  if (voidStatus === 'refused' && reason) return texts.notVoided(reason)
  if (status === 'completed' && scanForm?.state === 'unknown') return texts.mayBeOnForm
  return reason || (status === 'pending' && !tracking ? texts.waiting : '')
}

/** Nothing without a printable label. */
export const PdfLink = ({ order }: { order: Order }) =>
  order.pdfName !== null && (
    <ButtonLink
      size="small"
      target="_blank"
      href={urlFor(downloadFile, { params: { kind: 'v2', name: order.pdfName } })}
      aria-label={texts.downloadName(receiverName(order))}
    >
      {texts.download}
    </ButtonLink>
  )
