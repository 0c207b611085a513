/** The print options: paper, rows, and a test page for the printer. */
import { useState } from 'react'
import type { LabelFormat } from '#contract/downloads.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { getLastFormat, saveLastFormat } from './last-format.ts'
import { formatsFor, rowsProblem as selectionProblem } from './print-options.ts'
import type { Packable, PrintOptions, SheetHalf, Printable } from './print-options.ts'
import { SheetPicture } from './SheetPicture.tsx'
import { texts } from './texts.ts'
import { usePrintFiles } from './use-print-files.ts'
import styles from './Print.module.css'

const HALVES: SheetHalf[] = ['upper', 'lower']

/** Open while `printable` is given. Starts with the format that was printed last. */
export function PrintDialog({
  printable,
  onClose,
}: {
  printable: Printable | null
  onClose: () => void
}) {
  const files = usePrintFiles()
  const close = () => {
    files.cancel()
    onClose()
  }
  return (
    <Dialog
      opened={printable !== null}
      onClose={close}
      title={printable && texts.title(printable.name)}
      size="small"
      closeButton={false}
    >
      {printable && (
        <PrintForm key={keyOf(printable)} printable={printable} files={files} onClose={close} />
      )}
    </Dialog>
  )
}

function keyOf(printable: Printable): string {
  if ('pdfName' in printable) return printable.pdfName
  return 'rows' in printable ? printable.orderId : printable.orderIds.join()
}

/** The format that was printed last, if this can be printed in it. */
const initialPrintOptions = (formats: readonly LabelFormat[]): PrintOptions => ({
  format: formats.find(one => one === getLastFormat()) ?? 'pdf',
  half: 'upper',
  onlyRows: '',
})

type PrintFormProps = {
  printable: Printable
  files: ReturnType<typeof usePrintFiles>
  onClose: () => void
}

function PrintForm({ printable, files, onClose }: PrintFormProps) {
  const formats = formatsFor(printable)
  const [options, setOptions] = useState<PrintOptions>(() => initialPrintOptions(formats))
  const [typedProblem, setTypedProblem] = useState<string | null>(null)
  const {
    fetching,
    result: { file, problem, rowsProblem, address },
  } = files
  const change = (part: Partial<PrintOptions>) => {
    setOptions({ ...options, ...part })
    if ('onlyRows' in part) setTypedProblem(null)
    files.clearResult()
  }
  const done = () => {
    saveLastFormat(options.format)
    onClose()
  }
  const print = async () => {
    const found = selectionProblem(printable, options.onlyRows)
    setTypedProblem(found)
    if (found === null && (await files.labels(printable, options))) done()
  }
  return (
    <Form className={styles.form} onSubmit={print}>
      <RadioGroup
        label={texts.format}
        value={options.format}
        onChange={format => change({ format })}
        inRow
        options={formats.map(value => ({
          value,
          ...texts.formats[value],
          picture: (
            <SheetPicture format={value} half={options.half} several={!('pdfName' in printable)} />
          ),
        }))}
      />
      {options.format === 'letter' && (
        <RadioGroup
          label={texts.half}
          value={options.half}
          onChange={half => change({ half })}
          inRow
          options={HALVES.map(value => ({ value, text: texts.halves[value] }))}
        />
      )}
      {'rows' in printable && (
        <TextField
          label={texts.onlyRows}
          description={texts.onlyRowsHint(printable.rows)}
          error={typedProblem ?? rowsProblem}
          value={options.onlyRows}
          autoComplete="off"
          maxLength={500}
          onChange={event => change({ onlyRows: event.currentTarget.value })}
        />
      )}
      {!('pdfName' in printable) && (
        <PackingFiles packable={printable} options={options} files={files} />
      )}
      <ErrorLine>{problem}</ErrorLine>
      {address && (
        <Notice
          tone="yellow"
          action={
            <ButtonLink
              size="small"
              href={address}
              target="_blank"
              onClick={file === 'labels' ? done : files.clearResult}
            >
              {texts.open}
            </ButtonLink>
          }
        >
          {texts.tabBlocked}
        </Notice>
      )}
      <div className={styles.dialogButtons}>
        <Button
          kind="quiet"
          className={styles.test}
          busy={fetching === 'test'}
          disabledReason={fetching && fetching !== 'test' ? uiTexts.wait : null}
          onClick={() => void files.test(options)}
        >
          {texts.testPage}
        </Button>
        <Button onClick={onClose}>{texts.close}</Button>
        <Button
          kind="ink"
          type="submit"
          data-autofocus
          busy={fetching === 'labels'}
          disabledReason={fetching && fetching !== 'labels' ? uiTexts.wait : null}
        >
          {texts.formats[options.format].action}
        </Button>
      </div>
    </Form>
  )
}

type PackingFilesProps = {
  packable: Packable
  options: PrintOptions
  files: PrintFormProps['files']
}

/** Packing slips and the pick list, on the paper of the chosen format. */
function PackingFiles({ packable, options, files }: PackingFilesProps) {
  const { fetching } = files
  return (
    <div className={styles.packing} role="group" aria-label={texts.packing}>
      <p>
        {texts.packing} <span className={styles.hint}>{texts.packingHint}</span>
      </p>
      <Button
        size="small"
        busy={fetching === 'slips'}
        disabledReason={fetching && fetching !== 'slips' ? uiTexts.wait : null}
        onClick={() => void files.slips(packable, options)}
      >
        {texts.packingSlips}
      </Button>
      <Button
        size="small"
        busy={fetching === 'list'}
        disabledReason={fetching && fetching !== 'list' ? uiTexts.wait : null}
        onClick={() => void files.list(packable, options)}
      >
        {texts.pickList}
      </Button>
    </div>
  )
}
