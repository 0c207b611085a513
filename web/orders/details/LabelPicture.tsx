/** The picture of a label; without a printable label a sketch that cannot pass for one. */
import { useState } from 'react'
import { downloadFile } from '#contract/downloads.ts'
import type { Order } from '#contract/orders.ts'
import { urlFor } from '#web/client/send.ts'
import { receiverName } from '#web/orders/order-text.ts'
import { Card } from '#web/ui/Card.tsx'
import { addressLines } from './label-facts.ts'
import { texts } from './texts.ts'
import styles from './Details.module.css'

type PictureOrder = Pick<
  Order,
  'pdfName' | 'status' | 'void' | 'sender' | 'receiver' | 'service_name'
>
type SketchKind = keyof typeof texts.picture.sketch

/** Why there is no picture; null if the label can be printed. */
export function sketchKind({ pdfName, status, void: voidStatus }: PictureOrder): SketchKind | null {
  if (voidStatus === 'requested' || voidStatus === 'voided') return 'void'
  if (status === 'cancelled') return 'notBought'
  if (status === 'pending') return 'pending'
  return pdfName === null ? 'missing' : null
}

export function LabelPicture({ order }: { order: PictureOrder }) {
  const [broken, setBroken] = useState<string | null>(null)
  const { pdfName } = order
  const kind = sketchKind(order) ?? (broken === pdfName ? 'missing' : null)
  return (
    <Card title={texts.picture.title} className={styles.picture}>
      <div className={styles.pictureCard}>
        {kind === null && pdfName !== null ? (
          <Picture
            key={pdfName}
            pdfName={pdfName}
            alt={texts.picture.alt(receiverName(order) || texts.noName)}
            onBroken={() => setBroken(pdfName)}
          />
        ) : (
          <Sketch order={order} kind={kind ?? 'missing'} />
        )}
      </div>
    </Card>
  )
}

type PictureProps = { pdfName: string; alt: string; onBroken: () => void }

/** Opens the PDF. The browser sends the download cookie with the picture, as with the PDF. */
export function Picture({ pdfName, alt, onBroken }: PictureProps) {
  const [loading, setLoading] = useState(true)
  const params = { kind: 'v2', name: pdfName }
  return (
    <a
      className={styles.paper}
      data-loading={loading || undefined}
      href={urlFor(downloadFile, { params })}
      target="_blank"
      rel="noopener"
    >
      <img
        src={urlFor(downloadFile, { params, query: { format: 'png' } })}
        alt={alt}
        width={812}
        height={1218}
        onLoad={() => setLoading(false)}
        onError={onBroken}
      />
    </a>
  )
}

/** Without tracking number and barcode. */
function Sketch({ order, kind }: { order: PictureOrder; kind: SketchKind }) {
  const stamp = kind === 'missing' ? null : texts.picture[kind]
  return (
    <>
      <div className={styles.paper} aria-hidden="true">
        <div className={styles.sketch}>
          <div className={styles.sketchService}>{order.service_name}</div>
          <Lines className={styles.sketchFrom} lines={addressLines(order.sender, 'sender')} />
          <Lines className={styles.sketchTo} lines={addressLines(order.receiver, 'receiver')} />
        </div>
        {stamp && <span className={styles.stamp}>{stamp}</span>}
      </div>
      <p className={styles.pictureNote}>{texts.picture.sketch[kind]}</p>
    </>
  )
}

const Lines = ({ className, lines }: { className: string | undefined; lines: string[] }) => (
  <div className={className}>
    {lines.map((line, index) => (
      <div key={index}>{line}</div>
    ))}
  </div>
)
