import {
  IconArrowBackUp,
  IconCopy,
  IconFileTypePdf,
  IconLink,
  IconRepeat,
  IconTrash,
  IconTruckDelivery,
} from '@tabler/icons-react'
import { downloadFile } from '#contract/downloads.ts'
import { groupTracking } from '#contract/format.ts'
import type { LabelDetails } from '#contract/order-details.ts'
import type { Order } from '#contract/orders.ts'
import { urlFor } from '#web/client/send.ts'
import { copyTracking, copyTrackingPage, trackAtCarrier } from '#web/orders/label-actions.ts'
import { prefillPath } from '#web/orders/label/prefill.ts'
import { displayStatus } from '#web/orders/order-status.ts'
import { cityText, receiverName } from '#web/orders/order-text.ts'
import { texts as printTexts } from '#web/orders/print/texts.ts'
import { usePrinting } from '#web/orders/print/use-printing.tsx'
import { canVoid } from '#web/orders/void/void-summary.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { texts } from './texts.ts'
import styles from './Details.module.css'

type LabelHeaderProps = { details: LabelDetails; onVoid: () => void }

export function LabelHeader({ details: { order }, onVoid }: LabelHeaderProps) {
  const { _id: orderId, pdfName, tracking_number: tracking } = order
  const { tone, text } = displayStatus(order)
  const name = receiverName(order) || texts.noName
  const printing = usePrinting()
  return (
    <div className={styles.head}>
      <div className={styles.heading}>
        <div className={styles.titleLine}>
          <h2 className={styles.title}>{texts.title(name)}</h2>
          <StatusPill tone={tone} quiet>
            {text}
          </StatusPill>
        </div>
        <div className={styles.under}>
          <span>{cityText(order.receiver, 'receiver')}</span>
          {tracking && <CopyText value={tracking}>{groupTracking(tracking)}</CopyText>}
        </div>
      </div>
      <div className={styles.actions}>
        {pdfName && (
          <>
            <ButtonLink
              kind="ink"
              href={urlFor(downloadFile, { params: { kind: 'v2', name: pdfName } })}
              target="_blank"
              icon={<IconFileTypePdf aria-hidden="true" />}
            >
              {texts.openPdf}
            </ButtonLink>
            {printing.button({ pdfName, name: printTexts.label(name) }, true)}
          </>
        )}
        {(order.status !== 'cancelled' || order.void === 'voided' || order.batch_id !== null) && (
          <ButtonLink
            to={prefillPath({ kind: 'again', orderId })}
            icon={<IconRepeat aria-hidden="true" />}
          >
            {texts.again}
          </ButtonLink>
        )}
        {tracking && <ActionMenu name={texts.actions(name)} actions={actionsFor(order, onVoid)} />}
      </div>
      {printing.dialog}
    </div>
  )
}

/** For a label that was bought. */
function actionsFor(order: Order, onVoid: () => void): MenuAction[] {
  const { _id: orderId, tracking_number: tracking, trackingPage, status, void: voidStatus } = order
  const isValid = status === 'completed' && voidStatus !== 'requested'
  return [
    {
      text: texts.returnLabel,
      icon: IconArrowBackUp,
      to: prefillPath({ kind: 'return', orderId }),
    },
    {
      text: texts.copyTracking,
      icon: IconCopy,
      dividerBefore: true,
      onClick: () => void copyTracking(tracking ?? ''),
    },
    ...(trackingPage
      ? [
          {
            text: texts.copyPage,
            icon: IconLink,
            onClick: () => void copyTrackingPage(trackingPage),
          },
        ]
      : []),
    ...(isValid
      ? [
          {
            text: texts.track,
            icon: IconTruckDelivery,
            onClick: () => trackAtCarrier(tracking ?? ''),
          },
          {
            text: texts.void,
            icon: IconTrash,
            danger: true,
            dividerBefore: true,
            disabledReason: canVoid(order) ? null : texts.onTheWay,
            onClick: onVoid,
          },
        ]
      : []),
  ]
}
