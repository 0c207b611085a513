import { useState } from 'react'
import type { AddressForm } from '#contract/addresses.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { CheckField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { AddressFields } from './AddressFields.tsx'
import { isSameForm, newAddress } from './draft.ts'
import { PrintedSender } from './PrintedSender.tsx'
import { texts } from './texts.ts'
import type { AddressDraft } from './use-address-draft.ts'
import styles from './Addresses.module.css'

type FirstAddressProps = {
  draft: AddressDraft
  /** `isDefault`: it becomes the default sender. */
  onSubmit: (form: AddressForm, isDefault: boolean) => Promise<void>
  /** The form is empty again, unless `isChanged`: something else was typed meanwhile. */
  onSaved: (isChanged: boolean) => void
  /** For a failure that belongs to no field; the form shows why. */
  onFailed: () => void
}

/** In place of an empty address book: the form for the first address, and how labels will show it. */
export function FirstAddress({ draft, onSubmit, onSaved, onFailed }: FirstAddressProps) {
  const { form, busy, submit, reset, isShown } = draft
  const [isDefault, setDefault] = useState(true)
  const changed = !isSameForm(form, newAddress())
  const guard = useUnsavedChangesGuard(changed, () => reset(newAddress()))
  const send = async () => {
    if (!(await submit(address => onSubmit(address, isDefault), onFailed))) return
    const isChanged = !isShown(form)
    if (!isChanged) reset(newAddress())
    onSaved(isChanged)
  }
  return (
    <Card title={texts.addTitle}>
      <p className={styles.firstText}>{texts.noneText}</p>
      <div className={styles.first}>
        <Form onSubmit={send} className={styles.form}>
          <AddressFields draft={draft} />
          <div className={styles.firstButtons}>
            <CheckField
              label={texts.useAsDefault}
              checked={isDefault}
              onChange={event => setDefault(event.currentTarget.checked)}
            />
            <Button kind="ink" size="large" type="submit" busy={busy}>
              {texts.add}
            </Button>
          </div>
        </Form>
        <div className={styles.preview}>
          <PrintedSender address={form} />
          <p className={styles.printed}>{texts.printed}</p>
        </div>
      </div>
      <ConfirmDiscard guard={guard} subject={texts.addTitle} />
    </Card>
  )
}
