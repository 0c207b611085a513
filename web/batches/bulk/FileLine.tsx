/** What the table was read from, and the ways to read more. */
import { IconColumns, IconFile, IconFilePlus, IconRefresh } from '@tabler/icons-react'
import { countText } from '#contract/format.ts'
import { SOURCE_NAMES } from '#contract/sources.ts'
import { Button } from '#web/ui/Button.tsx'
import type { DraftFile } from './draft.ts'
import { FilesButton } from './FilesButton.tsx'
import { texts } from './texts.ts'
import styles from './FileLine.module.css'

const t = texts.files

type FileLineProps = {
  files: readonly DraftFile[]
  busy: boolean
  /** Index of the file whose rows the table shows alone. */
  shown: number | undefined
  onShow: (index: number | undefined) => void
  onReplace: (files: File[]) => void
  onAdd: (files: File[]) => void
  /** Opens the matching of the columns of a file; null where the file is not at hand any more. */
  onColumns: ((index: number) => void) | null
  canOpenColumns: (file: DraftFile) => boolean
}

/** Without files, only the way to add one. */
export function FileLine(props: FileLineProps) {
  const { files, busy, shown, onShow, onReplace, onAdd, onColumns, canOpenColumns } = props
  const wait = busy ? t.wait : null
  const leftOut = files.flatMap(file => leftOutTexts(file, files.length > 1))
  return (
    <section className={styles.files} aria-label={t.name}>
      <ul className={styles.list}>
        {files.map((file, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the index is what rows refer to
          <li key={index} className={styles.file}>
            <IconFile aria-hidden="true" />
            <span className={styles.name}>{file.name}</span>
            <span className={styles.facts}>
              {[SOURCE_NAMES[file.source], countText(file.rows, 'row'), t.read(file.readMs)].join(
                ', ',
              )}
            </span>
            {files.length > 1 && (
              <Button
                size="small"
                kind="quiet"
                aria-pressed={shown === index}
                aria-label={t.showName(file.name)}
                onClick={() => onShow(shown === index ? undefined : index)}
              >
                {shown === index ? t.showAll : t.show}
              </Button>
            )}
            {onColumns && canOpenColumns(file) && (
              <Button
                size="small"
                kind="quiet"
                icon={<IconColumns />}
                aria-label={t.columnsName(file.name)}
                disabledReason={wait}
                onClick={() => onColumns(index)}
              >
                {t.columns}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <span className={styles.actions}>
        {files.length > 0 && (
          <FilesButton
            size="small"
            icon={<IconRefresh />}
            disabledReason={wait}
            onFiles={onReplace}
          >
            {texts.replace}
          </FilesButton>
        )}
        <FilesButton size="small" icon={<IconFilePlus />} disabledReason={wait} onFiles={onAdd}>
          {t.add}
        </FilesButton>
      </span>
      {leftOut.length > 0 && (
        <ul className={styles.leftOut} aria-label={t.leftOutName}>
          {leftOut.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const leftOutTexts = ({ name, leftOut = [] }: DraftFile, several: boolean): string[] =>
  leftOut.map(({ reason, lines, orders }) => {
    const text = t.leftOut(lines, orders, reason)
    return several ? `${name}: ${text}` : text
  })
