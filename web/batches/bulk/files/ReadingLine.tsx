import { texts } from '#web/batches/bulk/texts.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './ReadingLine.module.css'

const t = texts.reading

type ReadingLineProps = {
  /** The file being read; null while none is. `share` from 0 to 1. */
  reading: { name: string; share: number } | null
  onCancel: () => void
}

/** The progress of a file being read. The live region stays, so that its text is announced. */
export function ReadingLine({ reading, onCancel }: ReadingLineProps) {
  return (
    <div className={styles.line} data-shown={reading !== null || undefined}>
      <span role="status" className={styles.text}>
        {reading && t.text(reading.name)}
      </span>
      {reading && (
        <>
          <progress
            className={styles.bar}
            aria-label={t.progress}
            max={100}
            value={Math.round(reading.share * 100)}
          />
          <Button size="small" onClick={onCancel}>
            {texts.cancel}
          </Button>
        </>
      )}
    </div>
  )
}
