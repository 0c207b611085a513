import { countText } from '#contract/format.ts'
import type { TableFile } from '#web/client/table-file.ts'
import { ErrorLine, LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { FileButton } from '#web/ui/FileButton.tsx'
import { DownloadButton } from './DownloadButton.tsx'
import { texts } from './texts.ts'
import { usePriceFile } from './use-price-file.ts'
import { useCosts } from './use-price-tables.ts'
import styles from './PriceTables.module.css'

const t = texts.costs

/** What the carrier charges the operator: rules price from it. */
export function CostsLine({ onRead }: { onRead: (file: TableFile) => void }) {
  const { data, isError, refetch } = useCosts()
  const { problem, reading, upload } = usePriceFile(onRead)
  if (isError && !data)
    return <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
  return (
    <div className={styles.change}>
      <div className={styles.changeText}>
        <h3 className={styles.lineTitle}>{t.title}</h3>
        <p className={styles.facts}>
          {data === undefined
            ? t.loading
            : data.length === 0
              ? t.none
              : t.known(countText(data.length, 'service'))}
        </p>
        <ErrorLine>{problem}</ErrorLine>
      </div>
      <div className={styles.buttons}>
        {data && data.length > 0 && (
          <DownloadButton userId={undefined} format="csv" content="costs" />
        )}
        <FileButton
          kind="outline"
          size="small"
          accept=".csv,.xlsx"
          busy={reading}
          onFiles={files => void upload(files)}
        >
          {t.upload}
        </FileButton>
      </div>
    </div>
  )
}
