import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { DragEvent } from 'react'
import { SKU_FIELDS } from '#contract/sku-rules.ts'
import type { SkuRecord } from '#contract/skus.ts'
import { saveTextFile } from '#web/client/save-file.ts'
import { Button } from '#web/ui/Button.tsx'
import { FileButton } from '#web/ui/FileButton.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { skuCsv } from './sku-file.ts'
import { texts } from './texts.ts'
import styles from './Skus.module.css'

const t = texts.about

type SkuFileRowProps = {
  /** The saved records, for the file with all of them. */
  list: readonly SkuRecord[]
  busy: boolean
  onFile: (file: File) => void
}

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** SKUs as CSV files, in a row below the table: the drop target for an upload, the downloads, and what a file looks like. */
export function SkuFileRow({ list, busy, onFile }: SkuFileRowProps) {
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const [isFormatShown, setIsFormatShown] = useState(false)
  const formatId = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button inside does the same
    <section
      aria-label={t.title}
      className={styles.drop}
      data-dragged-over={isDraggedOver || undefined}
      onDragOver={event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsDraggedOver(true)
      }}
      onDragLeave={event => {
        const { relatedTarget, currentTarget } = event
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          setIsDraggedOver(false)
      }}
      onDrop={event => {
        setIsDraggedOver(false)
        const [file] = event.dataTransfer.files
        if (!file) return
        event.preventDefault()
        onFile(file)
      }}
    >
      <div className={styles.about}>
        <h2 className={styles.fileTitle}>{t.title}</h2>
        <p className={styles.dropText}>
          <span>{isDraggedOver ? t.dropNow : t.drop}</span>
          <LinkButton
            aria-expanded={isFormatShown}
            aria-controls={isFormatShown ? formatId : undefined}
            onClick={() => setIsFormatShown(!isFormatShown)}
          >
            {t.format}
          </LinkButton>
        </p>
      </div>
      <div className={styles.tools}>
        <Button
          kind="quiet"
          icon={<IconDownload />}
          onClick={() => saveTextFile(texts.file.name, skuCsv([]))}
        >
          {texts.template}
        </Button>
        {list.length > 0 && (
          <Button
            kind="quiet"
            icon={<IconDownload />}
            onClick={() => saveTextFile(texts.file.name, skuCsv(list))}
          >
            {texts.download}
          </Button>
        )}
        <FileButton
          accept=".csv"
          icon={<IconUpload />}
          busy={busy}
          onFiles={([file]) => file && onFile(file)}
        >
          {texts.upload}
        </FileButton>
      </div>
      {isFormatShown && (
        <div id={formatId} className={styles.rules}>
          <p>{t.rules}</p>
          <dl className={styles.columns} aria-label={t.columns}>
            {SKU_FIELDS.map(({ name }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{t.example[name]}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </section>
  )
}
