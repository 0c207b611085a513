/** Asks how labels are printed: on which paper, which of them; and has a page to try a printer with. */
import { useState } from 'react'
import type { LabelFormat } from '#contract/downloads.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { texts as kit } from '#web/ui/texts.ts'
import { getLastFormat, saveLastFormat } from './last-format.ts'
import { formatsFor, rowsProblem as selectionProblem } from './print-options.ts'
import type { PrintOptions, SheetHalf, Printable } from './print-options.ts'
import { texts } from './texts.ts'
import { usePrintFiles } from './use-print-files.ts'
import styles from './Print.module.css'

const HALVES: SheetHalf[] = ['upper', 'lower']

/** Shown while a thing is given; each time it begins with the format that was printed last. */
export function PrintDialog({ thing, onClose }: { thing: Printable | null; onClose: () => void }) {
  const files = usePrintFiles()
  const close = () => {
    files.stop()
    onClose()
  }
  return (
    <Dialog
      opened={thing !== null}
      onClose={close}
      title={thing && texts.title(thing.name)}
      size="small"
      closeButton={false}
    >
      {thing && (
        <PrintForm
          key={'rows' in thing ? thing.orderId : thing.pdfName}
          printable={thing}
          files={files}
          onClose={close}
        />
      )}
    </Dialog>
  )
}

/** The format that was printed last, where this can be had in it. */
const initialPrintOptions = (formats: readonly LabelFormat[]): PrintOptions => ({
  format: formats.find(one => one === getLastFormat()) ?? 'pdf',
  half: 'upper',
  rows: '',
})

type PrintFormProps = {
  printable: Printable
  files: ReturnType<typeof usePrintFiles>
  onClose: () => void
}

function PrintForm({ printable, files, onClose }: PrintFormProps) {
  const formats = formatsFor(printable)
  const [choice, setChoice] = useState<PrintOptions>(() => initialPrintOptions(formats))
  const [wrong, setWrong] = useState<string | null>(null)
  const {
    doing,
    outcome: { file, problem, rowsProblem, address },
  } = files
  const put = (part: Partial<PrintOptions>) => {
    setChoice({ ...choice, ...part })
    if ('rows' in part) setWrong(null)
    files.unsay()
  }
  const done = () => {
    saveLastFormat(choice.format)
    onClose()
  }
  const print = async () => {
    const found = selectionProblem(printable, choice.rows)
    setWrong(found)
    if (found === null && (await files.labels(printable, choice))) done()
  }
  return (
    <Form className={styles.form} onSubmit={print}>
      <RadioGroup
        label={texts.format}
        value={choice.format}
        onChange={format => put({ format })}
        options={formats.map(value => ({ value, ...texts.formats[value] }))}
      />
      {choice.format === 'letter' && (
        <RadioGroup
          label={texts.half}
          value={choice.half}
          onChange={half => put({ half })}
          inRow
          options={HALVES.map(value => ({ value, text: texts.halves[value] }))}
        />
      )}
      {'rows' in printable && (
        <TextField
          label={texts.onlyRows}
          description={texts.onlyRowsHint(printable.rows)}
          error={wrong ?? rowsProblem}
          value={choice.rows}
          autoComplete="off"
          maxLength={500}
          onChange={event => put({ rows: event.currentTarget.value })}
        />
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
              onClick={file === 'labels' ? done : files.unsay}
            >
              {texts.open}
            </ButtonLink>
          }
        >
          {texts.tabBlocked}
        </Notice>
      )}
      <div className={styles.answers}>
        <Button
          kind="quiet"
          className={styles.test}
          busy={doing === 'test'}
          disabledReason={doing === 'labels' ? kit.wait : null}
          onClick={() => void files.test(choice)}
        >
          {texts.testPage}
        </Button>
        <Button onClick={onClose}>{texts.close}</Button>
        <Button
          kind="ink"
          type="submit"
          data-autofocus
          busy={doing === 'labels'}
          disabledReason={doing === 'test' ? kit.wait : null}
        >
          {texts.formats[choice.format].action}
        </Button>
      </div>
    </Form>
  )
}
