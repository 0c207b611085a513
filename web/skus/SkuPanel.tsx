import type { SkuErrors } from '#contract/sku-rules.ts'
import { useFormDraft } from '#web/client/use-form-draft.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { SidePanel } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { useSavingReason } from '#web/ui/use-saving-reason.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { isSameDraft } from './draft.ts'
import type { SkuDraft } from './draft.ts'
import { SkuNumberField, SkuTextField } from './fields.tsx'
import { texts } from './texts.ts'
import styles from './Skus.module.css'

type SkuPanelProps = {
  opened: boolean
  title: string
  submitName: string
  initialValues: () => SkuDraft
  check: (draft: SkuDraft) => SkuErrors
  /** The panel then closes, unless something else was typed meanwhile. */
  onSubmit: (draft: SkuDraft) => Promise<void>
  /** For a failure that belongs to no field; the form shows why. */
  onFailed: () => void
  onClose: () => void
  /** Asks before a changed form is closed. Without it the draft stays for the next time. */
  asksOnClose?: boolean
}

/** A form for a new record, and on small screens for a saved one. A draft stays when the panel is closed. */
export function SkuPanel({
  opened,
  title,
  submitName,
  initialValues,
  check,
  onSubmit,
  onFailed,
  onClose,
  asksOnClose = false,
}: SkuPanelProps) {
  const { form, bind, busy, formError, submit, reset, isShown } = useFormDraft({
    initialValues,
    check,
    fallbackMessage: texts.failed.submit,
  })
  const changed = opened && !isSameDraft(form, initialValues())
  const guard = useUnsavedChangesGuard(changed && !busy, () => reset(initialValues()))
  const close = () => (asksOnClose ? guard.leaveOrAsk(onClose) : onClose())
  const send = async () => {
    if (!(await submit(onSubmit, onFailed)) || !isShown(form)) return
    reset(initialValues())
    onClose()
  }
  const wait = useSavingReason(busy, texts.wait)
  return (
    <SidePanel opened={opened} onClose={close} title={title} closeDisabledReason={wait}>
      <Form onSubmit={send} className={styles.form}>
        <div className={styles.fields}>
          <SkuTextField bind={bind} name="sku" className={styles.whole} data-autofocus />
          <SkuNumberField
            bind={bind}
            name="maxQty"
            hint={texts.maxQtyHint}
            className={styles.whole}
          />
          <SkuNumberField bind={bind} name="weight" />
          <SkuNumberField bind={bind} name="length" />
          <SkuNumberField bind={bind} name="width" />
          <SkuNumberField bind={bind} name="height" />
          <SkuTextField bind={bind} name="description" className={styles.whole} />
          <div className={styles.whole}>
            <ErrorLine>{formError}</ErrorLine>
          </div>
        </div>
        <div className={styles.buttons}>
          <Button size="large" onClick={close} disabledReason={wait}>
            {texts.cancel}
          </Button>
          <Button kind="ink" size="large" type="submit" busy={busy}>
            {submitName}
          </Button>
        </div>
      </Form>
      <ConfirmDiscard guard={guard} subject={title} />
    </SidePanel>
  )
}
