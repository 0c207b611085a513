import { IconDownload } from '@tabler/icons-react'
import { downloadFile } from '#contract/downloads.ts'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { urlFor } from '#web/client/send.ts'
import { texts as printTexts } from '#web/orders/print/texts.ts'
import { usePrinting } from '#web/orders/print/use-printing.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { texts } from './texts.ts'
import type { BoughtLabel } from './use-label-order.ts'
import styles from './Label.module.css'

/** Shown after the purchase. The file opens in a new tab. */
export function LabelCreatedDialog({
  bought,
  opened,
  onClose,
}: {
  bought: BoughtLabel | null
  opened: boolean
  onClose: () => void
}) {
  const printing = usePrinting()
  if (!bought) return null
  const { pdfName, trackingNumber, price } = bought
  const file = urlFor(downloadFile, { params: { kind: 'v2', name: pdfName } })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={texts.created}
      size="small"
      closeButton={false}
      actions={
        <>
          <span className={styles.print}>
            {printing.button({ pdfName, name: printTexts.thisLabel }, true)}
          </span>
          <Button onClick={onClose}>{texts.close}</Button>
          <ButtonLink
            kind="ink"
            href={file}
            target="_blank"
            icon={<IconDownload />}
            className={styles.download}
            data-autofocus
          >
            {texts.download}
          </ButtonLink>
        </>
      }
    >
      <p>{texts.createdText}</p>
      <dl className={styles.facts}>
        {trackingNumber && (
          <div>
            <dt>{texts.tracking}</dt>
            <dd>
              <CopyText value={trackingNumber}>{groupTracking(trackingNumber)}</CopyText>
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.paid}</dt>
          <dd>{usdFromDollars(price)}</dd>
        </div>
      </dl>
      {printing.dialog}
    </Dialog>
  )
}
