import {
  IconArrowBackUp,
  IconCopy,
  IconEye,
  IconFileTypePdf,
  IconLink,
  IconPrinter,
  IconRepeat,
  IconTrash,
  IconTruckDelivery,
} from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { downloadFile } from '#contract/downloads.ts'
import type { Order } from '#contract/orders.ts'
import { urlFor } from '#web/client/send.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { texts as details } from './details/texts.ts'
import { copyTracking, copyTrackingPage, trackAtCarrier } from './label-actions.ts'
import { prefillPath } from './label/prefill.ts'
import { orderKey, receiverName } from './order-text.ts'
import type { Printable } from './print/print-options.ts'
import { texts as printTexts } from './print/texts.ts'
import { canVoid } from './void/void-summary.ts'

export type OrderMenuActions = {
  print: (printable: Printable) => void
  openVoid: (orders: readonly Order[]) => void
  /** Where no button opens the PDF. */
  withPdf?: boolean
}

/** What can be done with one label of the list. */
export function OrderMenu({ order, ...actions }: { order: Order } & OrderMenuActions) {
  const { search } = useLocation()
  return (
    <ActionMenu
      name={details.actions(receiverName(order))}
      actions={orderActions(order, search, actions)}
      id={`order-${orderKey(order)}`}
    />
  )
}

/** `list`: the query of the list, to which the way back from the label leads. */
function orderActions(
  order: Order,
  list: string,
  { print, openVoid, withPdf }: OrderMenuActions,
): MenuAction[] {
  const { _id: orderId, pdfName, tracking_number: tracking, trackingPage } = order
  const open: MenuAction = {
    text: details.open,
    icon: IconEye,
    to: `/main/orders/${orderId}`,
    state: { list },
  }
  const again: MenuAction = {
    text: details.again,
    icon: IconRepeat,
    to: prefillPath({ kind: 'again', orderId }),
  }
  if (tracking === null) return [open, again]
  const back: MenuAction = {
    text: details.returnLabel,
    icon: IconArrowBackUp,
    to: prefillPath({ kind: 'return', orderId }),
  }
  const copy: MenuAction = {
    text: details.copyTracking,
    icon: IconCopy,
    dividerBefore: true,
    onClick: () => void copyTracking(tracking),
  }
  if (pdfName === null) return [open, again, back, copy]
  const pdf: MenuAction = {
    text: details.openPdf,
    icon: IconFileTypePdf,
    onClick: () =>
      void window.open(
        urlFor(downloadFile, { params: { kind: 'v2', name: pdfName } }),
        '_blank',
        'noopener',
      ),
  }
  return [
    ...(withPdf ? [pdf] : []),
    {
      text: details.print,
      icon: IconPrinter,
      onClick: () => print({ pdfName, name: printTexts.label(receiverName(order)) }),
    },
    open,
    again,
    back,
    copy,
    ...(trackingPage
      ? [
          {
            text: details.copyPage,
            icon: IconLink,
            onClick: () => void copyTrackingPage(trackingPage),
          },
        ]
      : []),
    { text: details.track, icon: IconTruckDelivery, onClick: () => trackAtCarrier(tracking) },
    {
      text: details.void,
      icon: IconTrash,
      danger: true,
      dividerBefore: true,
      disabledReason: canVoid(order) ? null : details.onTheWay,
      onClick: () => openVoid([order]),
    },
  ]
}
