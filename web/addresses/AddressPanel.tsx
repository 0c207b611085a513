import type { ClipboardEvent } from 'react'
import type { AddressForm } from '#contract/addresses.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { SidePanel } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { isSameForm } from './draft.ts'
import { AddressStateField, AddressTextField } from './fields.tsx'
import { usePasteAddress } from './PasteAddress.tsx'
import { texts } from './texts.ts'
import { useAddressDraft } from './use-address-draft.ts'
import styles from './Addresses.module.css'

const PASTED_FIELDS = [
  'name',
  'company',
  'phone',
  'street',
  'street2',
  'city',
  'state',
  'zip',
] as const

type AddressPanelProps = {
  opened: boolean
  title: string
  submitName: string
  initialValues: () => AddressForm
  onSubmit: (form: AddressForm) => Promise<void>
  /** For a failure that belongs to no field; the form shows why. */
  onFailed: () => void
  onClose: () => void
  /** Asks before a changed form is closed. Without it the draft stays for the next time. */
  asksOnClose?: boolean
}

/** A form for a new address, and on small screens for a saved one. A draft stays when the panel is closed. */
export function AddressPanel({
  opened,
  title,
  submitName,
  initialValues,
  onSubmit,
  onFailed,
  onClose,
  asksOnClose = false,
}: AddressPanelProps) {
  const { form, bind, busy, formError, submit, reset } = useAddressDraft(initialValues)
  const changed = opened && !isSameForm(form, initialValues())
  const guard = useUnsavedChangesGuard(changed, () => reset(initialValues()))
  const close = () => (asksOnClose ? guard.leaveOrAsk(onClose) : onClose())
  const paste = usePasteAddress(
    address => reset({ ...form, ...address }),
    address => PASTED_FIELDS.every(name => form[name] === address[name]),
  )
  // Lines of an address pasted into any field fill all of them.
  const takePastedLines = (event: ClipboardEvent) => {
    if (!(event.target instanceof HTMLInputElement)) return
    if (paste.fillFromLines(event.clipboardData.getData('text'))) event.preventDefault()
  }
  const send = async () => {
    if (await submit(onSubmit, onFailed)) reset(initialValues())
  }
  return (
    <SidePanel opened={opened} onClose={close} title={title}>
      <Form onSubmit={send} className={styles.form}>
        <div className={styles.fields} onPaste={takePastedLines}>
          <div className={styles.paste}>
            {texts.paste.hint}
            {paste.button}
          </div>
          {paste.box}
          <AddressTextField
            bind={bind}
            name="address_id"
            hint={texts.idHint}
            className={styles.whole}
            data-autofocus
          />
          <AddressTextField bind={bind} name="name" className={styles.whole} />
          <AddressTextField bind={bind} name="company" />
          <AddressTextField bind={bind} name="phone" />
          <AddressTextField bind={bind} name="street" className={styles.whole} />
          <AddressTextField bind={bind} name="street2" className={styles.whole} />
          <AddressTextField bind={bind} name="city" />
          <AddressStateField bind={bind} name="state" />
          <AddressTextField bind={bind} name="zip" />
          <TextField
            label={texts.fields.country}
            error={null}
            value={bind('country').value}
            readOnly
            required
          />
          <div className={styles.whole}>
            <ErrorLine>{formError}</ErrorLine>
          </div>
        </div>
        <div className={styles.buttons}>
          <Button size="large" onClick={close}>
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
