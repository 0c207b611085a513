/** The bulk page without rows: the drop target, the template and a sample. */
import { IconDownload, IconTable } from '@tabler/icons-react'
import { downloadBulkTemplate } from '#contract/downloads.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { urlFor } from '#web/client/send.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { DropZone } from './DropZone.tsx'
import { FilesDrawing } from './FilesDrawing.tsx'
import styles from './EmptyTable.module.css'

const t = texts.empty

type EmptyTableProps = {
  busy: boolean
  isDraggedOver: boolean
  onFiles: (files: File[]) => void
  onSample: () => void
}

export function EmptyTable({ busy, isDraggedOver, onFiles, onSample }: EmptyTableProps) {
  return (
    <div className={styles.target} data-dragged-over={isDraggedOver || undefined}>
      <FilesDrawing className={styles.drawing} />
      <h3>{t.title}</h3>
      <p className={styles.checked}>{t.checked}</p>
      <DropZone large busy={busy} isDraggedOver={isDraggedOver} onFiles={onFiles} />
      <div className={styles.actions}>
        <ButtonLink href={urlFor(downloadBulkTemplate)} download icon={<IconDownload />}>
          {texts.template}
        </ButtonLink>
        <Button icon={<IconTable />} disabledReason={busy ? t.wait : null} onClick={onSample}>
          {t.sample}
        </Button>
      </div>
      <p className={styles.sources}>
        <span className={styles.shops}>{t.shops}</span>
        {t.anyTable}
      </p>
    </div>
  )
}
