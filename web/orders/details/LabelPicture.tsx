/** The picture of a label; without a printable label a sketch that cannot pass for one. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { downloadFile } from '#contract/downloads.ts'
import { loadPicture } from '#web/client/api-files.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, urlFor } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { receiverName } from '#web/orders/order-text.ts'
import { addressLines } from './label-facts.ts'
import { sketchKind } from './sketch-kind.ts'
import type { PictureOrder, SketchKind } from './sketch-kind.ts'
import { texts } from './texts.ts'
import styles from './Details.module.css'

/** Without a card around it: the paper is the first thing on the page. */
export function LabelPicture({ order }: { order: PictureOrder }) {
  const { pdfName } = order
  const titleId = useId()
  const [broken, setBroken] = useState<{ pdfName: string; why: string } | null>(null)
  const why = broken !== null && broken.pdfName === pdfName ? broken.why : undefined
  const kind = sketchKind(order) ?? (why === undefined ? null : 'missing')
  const picture =
    kind === null && pdfName !== null ? (
      <Picture
        key={pdfName}
        order={order}
        pdfName={pdfName}
        alt={texts.picture.alt(receiverName(order) || texts.noName)}
        onBroken={reason => setBroken({ pdfName, why: reason })}
      />
    ) : (
      <Sketch order={order} kind={kind ?? 'missing'} why={why} />
    )
  return (
    <section className={styles.pictureCard} aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        {texts.picture.title}
      </h2>
      {picture}
    </section>
  )
}

type PictureProps = {
  /** Whose addresses are drawn while the picture loads; blank paper without it. */
  order?: PictureOrder
  pdfName: string
  alt: string
  /** Without a picture, with the reason. A carrier may make none, or not yet. */
  onBroken: (why: string) => void
}

export function Picture({ order, pdfName, alt, onBroken }: PictureProps) {
  const { _id: userId } = useUser()
  const params = { kind: 'v2', name: pdfName }
  const { data, error } = useQuery({
    queryKey: queryKeys.labelPicture(userId, pdfName),
    queryFn: ({ signal }) =>
      loadPicture(downloadFile, { params, query: { format: 'png' } }, signal),
    staleTime: Infinity,
    retry: false,
  })
  const [isDrawn, setDrawn] = useState(false)
  const why = error && messageOf(error, texts.picture.sketch.missing)
  const onWhy = useEffectEvent(onBroken)
  useEffect(() => {
    if (why) onWhy(why)
  }, [why])
  return (
    <a
      className={styles.paper}
      href={urlFor(downloadFile, { params })}
      target="_blank"
      rel="noopener"
      aria-busy={!isDrawn || undefined}
    >
      {data && (
        <img
          src={data}
          alt={alt}
          width={812}
          height={1218}
          decoding="sync"
          onLoad={() => setDrawn(true)}
          onError={() => onBroken(texts.picture.sketch.missing)}
        />
      )}
      {!data && <span className="visually-hidden">{texts.picture.loading}</span>}
      {!isDrawn && order && <SketchLines order={order} foot={texts.picture.loading} isWaiting />}
    </a>
  )
}

type SketchProps = { order: PictureOrder; kind: SketchKind; why: string | undefined }

/** Without tracking number and barcode. */
function Sketch({ order, kind, why }: SketchProps) {
  const stamp = kind === 'missing' ? null : texts.picture[kind]
  return (
    <>
      <div className={styles.paper} aria-hidden="true">
        <SketchLines order={order} foot={texts.picture.noLabel} />
        {stamp && <span className={styles.stamp}>{stamp}</span>}
      </div>
      <p className={styles.pictureNote}>{why ?? texts.picture.sketch[kind]}</p>
    </>
  )
}

type SketchLinesProps = { order: PictureOrder; foot: string; isWaiting?: boolean }

const SketchLines = ({ order, foot, isWaiting }: SketchLinesProps) => (
  <span className={styles.sketch} data-waiting={isWaiting} aria-hidden="true">
    <span className={styles.sketchService}>{order.service_name}</span>
    <Lines className={styles.sketchFrom} lines={addressLines(order.sender, 'sender')} />
    <Lines className={styles.sketchTo} lines={addressLines(order.receiver, 'receiver')} />
    <span className={styles.sketchFoot}>{foot}</span>
  </span>
)

const Lines = ({ className, lines }: { className: string | undefined; lines: string[] }) => (
  <span className={className}>
    {lines.map((line, index) => (
      <span key={index} className={styles.sketchLine}>
        {line}
      </span>
    ))}
  </span>
)
