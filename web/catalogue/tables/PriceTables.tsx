import { useState } from 'react'
import type { PriceSource } from '#contract/price-tables.ts'
import type { TableFile } from '#web/client/table-file.ts'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { FileButton } from '#web/ui/FileButton.tsx'
import { CostsLine } from './CostsLine.tsx'
import { DownloadButton } from './DownloadButton.tsx'
import { PriceChangeList } from './PriceChangeList.tsx'
import { PricePreviewDialog } from './PricePreviewDialog.tsx'
import { texts } from './texts.ts'
import { usePriceFile } from './use-price-file.ts'
import { ZoneMatrixLine } from './ZoneMatrixLine.tsx'
import styles from './PriceTables.module.css'

/** `notices`: about the file that the prices are from. */
type ComparedPrices = { source: PriceSource; notices: readonly string[] }

/** Prices as files, with their changes; of one user, or of the default services with the zone matrix. */
export function PriceTables({ userId }: { userId?: string }) {
  const [compared, setCompared] = useState<ComparedPrices | null>(null)
  const compareFile = (kind: 'file' | 'costs', { notices, ...sheet }: TableFile) =>
    setCompared({ source: { kind, ...sheet }, notices })
  const { problem, reading, upload } = usePriceFile(file => compareFile('file', file))
  return (
    <section aria-labelledby="price-tables" className={styles.section}>
      <h2 id="price-tables" className={styles.title}>
        {texts.title}
      </h2>
      <Card className={styles.card}>
        <div className={styles.head}>
          <PriceTablePicture />
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
        {!userId && <CostsLine onRead={file => compareFile('costs', file)} />}
        {!userId && <ZoneMatrixLine />}
        <PriceChangeList
          userId={userId}
          onUndo={changeId => setCompared({ source: { kind: 'before', changeId }, notices: [] })}
        />
      </Card>
      {compared && (
        <PricePreviewDialog {...compared} userId={userId} onClose={() => setCompared(null)} />
      )}
    </section>
  )
}

/** Weights down, zones across: each price a line, dearer to the right and below. */
function PriceTablePicture() {
  const rows = [0, 1, 2, 3]
  return (
    <svg
      viewBox="0 0 72 48"
      width="72"
      height="48"
      fill="none"
      aria-hidden="true"
      className={styles.picture}
    >
      <rect x="1" y="1" width="70" height="46" rx="5" stroke="var(--field)" strokeWidth="2" />
      <path d="M1 12h70M16 1v46" stroke="var(--field)" strokeWidth="2" />
      {rows.map(row => (
        <g key={row} strokeWidth="3" strokeLinecap="round">
          <path d={`M6 ${19 + 8 * row}h5`} stroke="var(--ink3)" />
          {rows.map(zone => (
            <path
              key={zone}
              d={`M${21 + 12 * zone} ${19 + 8 * row}h${3 + row + zone}`}
              stroke={row === 2 && zone === 1 ? 'var(--accent)' : 'var(--field)'}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}
