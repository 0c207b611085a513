import type { ClipboardEvent, ReactNode } from 'react'
import type { RowField } from '#contract/rows.ts'
import { usePasteAddress } from '#web/addresses/PasteAddress.tsx'
import { Card } from '#web/ui/Card.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { LabelStateField, LabelTextField } from './fields.tsx'
import type { LabelForm } from './form.ts'
import { texts } from './texts.ts'
import type { FieldBinder } from './use-label-order.ts'
import styles from './Label.module.css'

type AddressFields = Record<
  'name' | 'company' | 'phone' | 'street' | 'street2' | 'city' | 'state' | 'zip',
  RowField
>

const SENDER_FORM_FIELDS: AddressFields = {
  name: 'FromSenderName',
  company: 'FromCompany',
  phone: 'FromPhone',
  street: 'FromStreet1',
  street2: 'FromStreet2',
  city: 'FromCity',
  state: 'FromStateProvince',
  zip: 'FromZipPostal',
}
const RECEIVER_FORM_FIELDS: AddressFields = {
  name: 'ToRecipientName',
  company: 'ToCompany',
  phone: 'ToPhone',
  street: 'ToStreet1',
  street2: 'ToStreet2',
  city: 'ToCity',
  state: 'ToStateProvince',
  zip: 'ToZipPostal',
}

type AddressSectionProps = {
  side: 'from' | 'to'
  bind: FieldBinder
  change: (fields: Partial<LabelForm>) => void
  /** Above the fields: the choice of a saved address. */
  children?: ReactNode
  /** Below the fields. */
  end?: ReactNode
}

export function AddressSection({ side, bind, change, children, end }: AddressSectionProps) {
  const names = side === 'from' ? SENDER_FORM_FIELDS : RECEIVER_FORM_FIELDS
  const parts = Object.entries(names) as [keyof AddressFields, RowField][]
  const paste = usePasteAddress(
    address => change(Object.fromEntries(parts.map(([part, name]) => [name, address[part]]))),
    address => parts.every(([part, name]) => bind(name).value === address[part]),
  )
  // Lines of an address pasted into any field fill all of them.
  const takePastedLines = (event: ClipboardEvent) => {
    if (!(event.target instanceof HTMLInputElement)) return
    if (paste.fillFromLines(event.clipboardData.getData('text'))) event.preventDefault()
  }
  // The browser may fill the sender; the receiver differs each time.
  const auto = (token: string) => (side === 'from' ? `section-from shipping ${token}` : 'off')
  return (
    <Card title={texts[side]} action={paste.button}>
      <div className={styles.grid} onPaste={takePastedLines}>
        {paste.box}
        {children}
        <LabelTextField
          bind={bind}
          name={names.name}
          label={texts.name}
          className={styles.half}
          autoComplete={auto('name')}
        />
        <LabelTextField
          bind={bind}
          name={names.company}
          label={texts.company}
          className={styles.half}
          autoComplete={auto('organization')}
        />
        <LabelTextField
          bind={bind}
          name={names.street}
          label={texts.street}
          className={styles.most}
          autoComplete={auto('address-line1')}
        />
        <LabelTextField
          bind={bind}
          name={names.street2}
          label={texts.street2}
          className={styles.long}
          autoComplete={auto('address-line2')}
        />
        <LabelTextField
          bind={bind}
          name={names.city}
          label={texts.city}
          className={styles.city}
          autoComplete={auto('address-level2')}
        />
        <LabelStateField
          bind={bind}
          name={names.state}
          label={texts.state}
          className={styles.third}
        />
        <LabelTextField
          bind={bind}
          name={names.zip}
          label={texts.zip}
          className={styles.third}
          autoComplete={auto('postal-code')}
        />
        <LabelTextField
          bind={bind}
          name={names.phone}
          label={texts.phone}
          className={styles.rest}
          autoComplete={auto('tel')}
        />
        <TextField
          label={texts.country}
          error={null}
          value={texts.us}
          readOnly
          className={styles.third}
        />
        {end}
      </div>
    </Card>
  )
}
