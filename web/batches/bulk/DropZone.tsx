import { IconCloudUpload } from '@tabler/icons-react'
import { Spinner } from '#web/ui/Button.tsx'
import { texts } from './texts.ts'
import styles from './Bulk.module.css'

/**
 * Where a file is chosen. It is a plain file field for keys and assistive technology; files are dropped anywhere on the page, and
 * `over` says that one is above it now.
 */
export function DropZone({
  busy,
  isDraggedOver,
  onFiles,
}: {
  busy: boolean
  isDraggedOver: boolean
  onFiles: (files: File[]) => void
}) {
  return (
    <label
      className={styles.drop}
      data-over={isDraggedOver || undefined}
      aria-busy={busy || undefined}
    >
      <input
        type="file"
        accept=".csv,.txt"
        className="visually-hidden"
        onChange={event => {
          const files = [...(event.currentTarget.files ?? [])]
          // Else the same file, mended and chosen again, would not be heard of.
          event.currentTarget.value = ''
          onFiles(files)
        }}
      />
      <span className={styles.dropIcon} aria-hidden="true">
        {busy ? <Spinner /> : <IconCloudUpload />}
      </span>
      <span className={styles.dropText}>
        {busy ? (
          texts.drop.reading
        ) : isDraggedOver ? (
          texts.drop.here
        ) : (
          <>
            <b>{texts.drop.bold}</b>
            {texts.drop.rest}
          </>
        )}
      </span>
    </label>
  )
}
