/** The fields of an address, of the panel and of the card on an empty page. */
import type { ClipboardEvent } from 'react'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { AddressStateField, AddressTextField } from './fields.tsx'
import { usePasteAddress } from './PasteAddress.tsx'
import type { AddressField } from './sender.ts'
import { texts } from './texts.ts'
import type { AddressDraft } from './use-address-draft.ts'
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

/** `onPaste`: lines of an address pasted into any field fill all of them. */
export function usePasteIntoDraft({ form, fill }: Pick<AddressDraft, 'form' | 'fill'>) {
  const paste = usePasteAddress(fill, address =>
    PASTED_FIELDS.every(name => form[name] === address[name]),
  )
  const onPaste = (event: ClipboardEvent) => {
    if (!(event.target instanceof HTMLInputElement)) return
    if (paste.fillFromLines(event.clipboardData.getData('text'))) event.preventDefault()
  }
  return { button: paste.button, box: paste.box, forget: paste.forget, onPaste }
}

/** `focusOn`: the field that gets the focus of the dialog. */
export function AddressFields({ draft, focusOn }: { draft: AddressDraft; focusOn?: AddressField }) {
  const { bind, formError } = draft
  const paste = usePasteIntoDraft(draft)
  const field = (name: AddressField) => ({
    bind,
    name,
    'data-autofocus': name === focusOn || undefined,
  })
  return (
    <div className={styles.fields} onPaste={paste.onPaste}>
      <div className={styles.paste}>
        {paste.button}
        {texts.paste.hint}
      </div>
      {paste.box}
      <AddressTextField {...field('address_id')} hint={texts.idHint} className={styles.whole} />
      <AddressTextField {...field('name')} className={styles.whole} />
      <AddressTextField {...field('company')} />
      <AddressTextField {...field('phone')} />
      <AddressTextField {...field('street')} className={styles.street} />
      <AddressTextField {...field('street2')} className={styles.street} />
      <AddressTextField {...field('city')} />
      <AddressStateField {...field('state')} />
      <AddressTextField {...field('zip')} />
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
  )
}
