import { IconCloudUpload } from '@tabler/icons-react'
import { Spinner } from '#web/ui/Button.tsx'
import { texts } from './texts.ts'
import styles from './Bulk.module.css'

/**
 * A file input for keyboard and assistive technology; files can be dropped anywhere on the page.
 * `isDraggedOver`: a file is above the page.
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
      data-dragged-over={isDraggedOver || undefined}
      aria-busy={busy || undefined}
    >
      <input
        type="file"
        accept=".csv,.txt"
        className="visually-hidden"
        onChange={event => {
          const files = [...(event.currentTarget.files ?? [])]
          // Otherwise choosing the same file again, after a correction, would fire no event.
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
