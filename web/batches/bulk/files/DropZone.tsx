import { IconCloudUpload } from '@tabler/icons-react'
import { texts } from '#web/batches/bulk/texts.ts'
import { Spinner } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import styles from './DropZone.module.css'

/** Kinds of files that the page reads. Users can choose others, so files are checked. */
export const ACCEPTED_FILES = '.csv,.txt,.tsv,.xlsx'

type DropZoneProps = {
  busy: boolean
  isDraggedOver: boolean
  /** Drawn as the main button; a click anywhere in the nearest positioned ancestor chooses a file. */
  large?: boolean
  onFiles: (files: File[]) => void
}

/**
 * A file input for keyboard and assistive technology; files can be dropped anywhere on the page.
 * `isDraggedOver`: a file is above the page.
 */
export function DropZone({ busy, isDraggedOver, large = false, onFiles }: DropZoneProps) {
  return (
    <label
      className={cx(styles.drop, large && styles.large)}
      data-dragged-over={isDraggedOver || undefined}
      aria-busy={busy || undefined}
    >
      <input
        type="file"
        multiple
        accept={ACCEPTED_FILES}
        className="visually-hidden"
        data-first-focus={large || undefined}
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
