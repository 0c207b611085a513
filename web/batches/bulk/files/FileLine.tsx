/** What the table was read from, and the ways to read more. */
import { IconDownload, IconFile, IconFilePlus } from '@tabler/icons-react'
import { downloadBulkTemplate } from '#contract/downloads.ts'
import { SOURCE_NAMES } from '#contract/sources.ts'
import type { DraftFile } from '#web/batches/bulk/drafts/draft.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { SavedColumns } from '#web/batches/columns/SavedColumns.tsx'
import { urlFor } from '#web/client/send.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { FileButton } from '#web/ui/FileButton.tsx'
import { ACCEPTED_FILES } from './DropZone.tsx'
import styles from './FileLine.module.css'

const t = texts.files

type FileLineProps = {
  files: readonly DraftFile[]
  busy: boolean
  /** Index of the file whose rows the table shows alone. */
  shown: number | undefined
  onShow: (index: number | undefined) => void
  onAdd: (files: File[]) => void
  /** Makes a new table of other files, as a drop on the page does. */
  onReplace: (files: File[]) => void
  onColumns: (file: DraftFile) => void
  /** False where the file is not at hand any more, after a reload. */
  canOpenColumns: (file: DraftFile) => boolean
  onSheet: (file: DraftFile, sheet: string) => void
}

/** Without files, only the way to add one. */
export function FileLine(props: FileLineProps) {
  const { files, busy, shown, onShow, onAdd, onReplace, onColumns, canOpenColumns, onSheet } = props
  const wait = busy ? t.wait : null
  return (
    <section className={styles.files} aria-label={t.name} tabIndex={-1} data-first-focus>
      <ul className={styles.list} data-many={files.length > 2 || undefined}>
        {files.map((file, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the index is what rows refer to
          <li key={index} className={styles.file}>
            <IconFile aria-hidden="true" />
            <span className={styles.name} title={file.name}>
              {file.name}
            </span>
            <span className={styles.facts} title={factsOf(file)}>
              {factsOf(file)}
            </span>
            {file.sheets && canOpenColumns(file) && (
              <NativeSelectField
                className={styles.sheet}
                label={t.sheetOf(file.name)}
                hideLabel
                error={null}
                // `disabled` would take the focus away while the sheet is read.
                aria-disabled={busy || undefined}
                data={file.sheets}
                value={file.sheet}
                onChange={event => !busy && onSheet(file, event.currentTarget.value)}
              />
            )}
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
            {canOpenColumns(file) && (
              <Button
                size="small"
                kind="quiet"
                aria-label={
                  file.columnsAt === undefined ? t.columnsName(file.name) : t.changeName(file.name)
                }
                disabledReason={wait}
                onClick={() => onColumns(file)}
              >
                {file.columnsAt === undefined ? t.columns : t.change}
              </Button>
            )}
            {files.length === 1 && (
              <FileButton
                size="small"
                kind="quiet"
                accept={ACCEPTED_FILES}
                multiple
                aria-label={t.replaceName(file.name)}
                disabledReason={wait}
                onFiles={onReplace}
              >
                {t.replace}
              </FileButton>
            )}
          </li>
        ))}
      </ul>
      <span className={styles.actions}>
        <SavedColumns />
        <ButtonLink href={urlFor(downloadBulkTemplate)} download icon={<IconDownload />}>
          {texts.template}
        </ButtonLink>
        <FileButton
          accept={ACCEPTED_FILES}
          multiple
          icon={<IconFilePlus />}
          disabledReason={wait}
          onFiles={onAdd}
        >
          {t.add}
        </FileButton>
      </span>
    </section>
  )
}

/** What of the files is not in the table, with its reason. */
export function LeftOutLines({ files }: { files: readonly DraftFile[] }) {
  const lines = files.flatMap(file => leftOutTexts(file, files.length > 1))
  if (lines.length === 0) return null
  return (
    <ul className={styles.leftOut} aria-label={t.leftOutName}>
      {lines.map(text => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** How many lines of the files are not in the table. */
export const leftOutCount = (files: readonly DraftFile[]): number =>
  files.reduce(
    (sum, { leftOut = [] }) => sum + leftOut.reduce((lines, one) => lines + one.lines, 0),
    0,
  )

const factsOf = ({ source, rows, readMs, columnsAt }: DraftFile): string =>
  [
    SOURCE_NAMES[source],
    t.read(rows, readMs),
    ...(columnsAt === undefined ? [] : [t.columnsAsOn(dateText(columnsAt))]),
  ].join(', ')

const leftOutTexts = ({ name, leftOut = [] }: DraftFile, several: boolean): string[] =>
  leftOut.map(({ reason, lines, orders }) => {
    const text = t.leftOut(lines, orders, reason)
    return several ? `${name}: ${text}` : text
  })
