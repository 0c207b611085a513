import { useState } from 'react'
import type { AddressForm } from '#contract/addresses.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { SidePanel } from '#web/ui/Dialog.tsx'
import { CheckField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { useSavingReason } from '#web/ui/use-saving-reason.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { AddressFields } from './AddressFields.tsx'
import { isSameForm } from './draft.ts'
import type { AddressField } from './sender.ts'
import { texts } from './texts.ts'
import { useAddressDraft } from './use-address-draft.ts'
import type { AddressDraft } from './use-address-draft.ts'
import styles from './Addresses.module.css'

type AddressPanelProps = {
  draft: AddressDraft
  opened: boolean
  title: string
  submitName: string
  initialValues: () => AddressForm
  /** `isDefault`: it becomes the default sender. The panel then closes, unless something else was typed meanwhile. */
  onSubmit: (form: AddressForm, isDefault: boolean) => Promise<void>
  /** For a failure that belongs to no field; the form shows why. */
  onFailed: () => void
  onClose: () => void
  /** Asks before a changed form is closed. Without it the draft stays for the next time. */
  asksOnClose?: boolean
  offersDefault?: boolean
  /** Gets the focus when the panel opens; the first field by default. */
  focusOn?: AddressField
}

/** For a saved address, on small screens. */
export function EditAddressPanel(props: Omit<AddressPanelProps, 'draft' | 'opened'>) {
  const draft = useAddressDraft(props.initialValues)
  return <AddressPanel {...props} draft={draft} opened asksOnClose />
}

/** A form for a new address, and on small screens for a saved one. A draft stays when the panel is closed. */
export function AddressPanel({
  draft,
  opened,
  title,
  submitName,
  initialValues,
  onSubmit,
  onFailed,
  onClose,
  asksOnClose = false,
  offersDefault = false,
  focusOn = 'address_id',
}: AddressPanelProps) {
  const { form, busy, submit, reset, isShown } = draft
  const [isDefault, setDefault] = useState(false)
  const changed = opened && !isSameForm(form, initialValues())
  const guard = useUnsavedChangesGuard(changed && !busy, () => reset(initialValues()))
  const close = () => (asksOnClose ? guard.leaveOrAsk(onClose) : onClose())
  const send = async () => {
    const isSaved = await submit(address => onSubmit(address, isDefault), onFailed)
    if (isSaved) setDefault(false)
    if (!isSaved || !isShown(form)) return
    reset(initialValues())
    onClose()
  }
  const wait = useSavingReason(busy, texts.wait)
  return (
    <SidePanel opened={opened} onClose={close} title={title} closeDisabledReason={wait}>
      <Form onSubmit={send} className={styles.form}>
        <AddressFields draft={draft} focusOn={focusOn} />
        {offersDefault && (
          <CheckField
            label={texts.useAsDefault}
            checked={isDefault}
            onChange={event => setDefault(event.currentTarget.checked)}
          />
        )}
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
