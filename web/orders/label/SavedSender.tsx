import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { RowField } from '#contract/rows.ts'
import { toSenderFields } from '#web/addresses/sender.ts'
import { addressesQuery } from '#web/client/queries.ts'
import { useUser } from '#web/client/session.ts'
import { SelectField } from '#web/ui/Field.tsx'
import { hasEmptySender } from './form.ts'
import type { LabelForm } from './form.ts'
import { texts } from './texts.ts'
import styles from './Label.module.css'

/** The default address fills the sender at once while that is empty; `onFilled` when it did. */
export function useDefaultSender(
  form: LabelForm,
  onFilled: (sender: Partial<LabelForm>) => void,
): void {
  const data = useSavedAddresses()
  const isTried = useRef(false)
  useEffect(() => {
    if (!data || isTried.current) return
    isTried.current = true
    const sender = data.savedAddress.find(({ isDefault }) => isDefault)
    if (sender && hasEmptySender(form)) onFilled(toSenderFields(sender))
  }, [data, form, onFilled])
}

function useSavedAddresses() {
  const user = useUser()
  const { data } = useQuery(addressesQuery(user._id))
  return data
}

/** A saved address fills the sender. Renders nothing without saved addresses. */
export function SavedSender({
  form,
  onChoose,
}: {
  form: LabelForm
  onChoose: (sender: Partial<LabelForm>) => void
}) {
  const saved = useSavedAddresses()?.savedAddress ?? []
  if (saved.length === 0) return null
  // The selection follows from the fields: after any change no saved address is selected.
  const chosen = saved.find(address =>
    Object.entries(toSenderFields(address)).every(
      ([name, text]) => form[name as RowField] === text,
    ),
  )
  const choose = (id: string | null) => {
    const address = saved.find(({ _id }) => _id === id)
    if (address) onChoose(toSenderFields(address))
  }
  return (
    <div className={styles.saved}>
      <SelectField
        label={texts.saved}
        error={null}
        placeholder={texts.choose}
        value={chosen?._id ?? null}
        onChange={choose}
        data={saved.map(({ _id, address_id, city, state }) => ({
          value: _id,
          label: `${address_id} · ${city}, ${state}`,
        }))}
      />
      <Link to="/main/address">{texts.addressBook}</Link>
    </div>
  )
}
