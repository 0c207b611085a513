/** Asks how labels are printed: on which paper, which of them; and has a page to try a printer with. */
import { useState } from 'react'
import type { LabelFormat } from '#contract/orders.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Choices } from '#web/ui/Choices.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { texts as kit } from '#web/ui/texts.ts'
import { formatsOf, rowsProblem } from './choice.ts'
import type { Choice, Half, Printable } from './choice.ts'
import { lastFormat, rememberFormat } from './memory.ts'
import { texts } from './texts.ts'
import { useFiles } from './use-files.ts'
import styles from './Print.module.css'

const HALVES: Half[] = ['upper', 'lower']

/** Shown while a thing is given; each time it begins with the format that was printed last. */
export function PrintDialog({ thing, onClose }: { thing: Printable | null; onClose: () => void }) {
  const files = useFiles()
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
        <Options
          key={'rows' in thing ? thing.orderId : thing.pdfName}
          thing={thing}
          files={files}
          onClose={close}
        />
      )}
    </Dialog>
  )
}

/** The format that was printed last, where this can be had in it. */
const firstChoice = (formats: readonly LabelFormat[]): Choice => ({
  format: formats.find(one => one === lastFormat()) ?? 'pdf',
  half: 'upper',
  only: '',
})

type OptionsProps = { thing: Printable; files: ReturnType<typeof useFiles>; onClose: () => void }

function Options({ thing, files, onClose }: OptionsProps) {
  const formats = formatsOf(thing)
  const [choice, setChoice] = useState<Choice>(() => firstChoice(formats))
  const [wrong, setWrong] = useState<string | null>(null)
  const {
    doing,
    outcome: { what, problem, rows, address },
  } = files
  const put = (part: Partial<Choice>) => {
    setChoice({ ...choice, ...part })
    if ('only' in part) setWrong(null)
    files.unsay()
  }
  const done = () => {
    rememberFormat(choice.format)
    onClose()
  }
  const print = async () => {
    const found = rowsProblem(thing, choice.only)
    setWrong(found)
    if (found === null && (await files.labels(thing, choice))) done()
  }
  return (
    <Form className={styles.form} onSubmit={print}>
      <Choices
        label={texts.format}
        value={choice.format}
        onChange={format => put({ format })}
        options={formats.map(value => ({ value, ...texts.formats[value] }))}
      />
      {choice.format === 'letter' && (
        <Choices
          label={texts.half}
          value={choice.half}
          onChange={half => put({ half })}
          inRow
          options={HALVES.map(value => ({ value, text: texts.halves[value] }))}
        />
      )}
      {'rows' in thing && (
        <TextField
          label={texts.only}
          description={texts.onlyHint(thing.rows)}
          error={wrong ?? rows}
          value={choice.only}
          autoComplete="off"
          maxLength={500}
          onChange={event => put({ only: event.currentTarget.value })}
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
              onClick={what === 'labels' ? done : files.unsay}
            >
              {texts.open}
            </ButtonLink>
          }
        >
          {texts.heldBack}
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
          {texts.test}
        </Button>
        <Button onClick={onClose}>{texts.close}</Button>
        <Button
          kind="ink"
          type="submit"
          data-autofocus
          busy={doing === 'labels'}
          disabledReason={doing === 'test' ? kit.wait : null}
        >
          {texts.formats[choice.format].act}
        </Button>
      </div>
    </Form>
  )
}
