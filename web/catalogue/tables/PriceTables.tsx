import { useState } from 'react'
import type { PriceSource } from '#contract/price-tables.ts'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { FileButton } from '#web/ui/FileButton.tsx'
import { CostsLine } from './CostsLine.tsx'
import { DownloadButton } from './DownloadButton.tsx'
import { PriceChangeList } from './PriceChangeList.tsx'
import { PricePreviewDialog } from './PricePreviewDialog.tsx'
import { readPriceFile } from './read-price-file.ts'
import { texts } from './texts.ts'
import { ZoneMatrixLine } from './ZoneMatrixLine.tsx'
import styles from './PriceTables.module.css'

/** Prices as files, with their changes; of one user, or of the default services with the zone matrix. */
export function PriceTables({ userId }: { userId?: string }) {
  const [source, setSource] = useState<PriceSource | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [reading, setReading] = useState(false)

  const upload = async ([file]: File[]) => {
    if (!file) return
    setProblem(null)
    setReading(true)
    const read = await readPriceFile(file).catch(() => ({ problem: texts.file.unreadable }))
    setReading(false)
    if ('problem' in read) setProblem(read.problem)
    else setSource({ kind: 'file', ...read })
  }
  return (
    <section aria-labelledby="price-tables" className={styles.section}>
      <h2 id="price-tables" className={styles.title}>
        {texts.title}
      </h2>
      <Card className={styles.card}>
        <div className={styles.head}>
          <p className={styles.about}>{userId ? texts.aboutUser : texts.about}</p>
          <div className={styles.buttons}>
            <DownloadButton userId={userId} format="csv" />
            <DownloadButton userId={userId} format="xlsx" />
            <FileButton
              kind="ink"
              size="small"
              accept=".csv,.xlsx"
              busy={reading}
              onFiles={files => void upload(files)}
            >
              {texts.upload}
            </FileButton>
          </div>
        </div>
        <ErrorLine>{problem}</ErrorLine>
        {!userId && <CostsLine onRead={setSource} />}
        {!userId && <ZoneMatrixLine />}
        <PriceChangeList
          userId={userId}
          onUndo={changeId => setSource({ kind: 'before', changeId })}
        />
      </Card>
      {source && (
        <PricePreviewDialog userId={userId} source={source} onClose={() => setSource(null)} />
      )}
    </section>
  )
}
