import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { listAddresses } from '#contract/addresses.ts'
import { senderOf } from '#web/addresses/sender.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { SelectField } from '#web/ui/Field.tsx'
import type { LabelForm } from './form.ts'
import styles from './Label.module.css'
import { texts } from './texts.ts'

/** A saved address fills the sender. Without any there is nothing to choose, and nothing is drawn. */
export function SavedSender({ onChoose }: { onChoose: (sender: Partial<LabelForm>) => void }) {
  const user = useUser()
  const [chosen, setChosen] = useState<string | null>(null)
  const { data } = useQuery({ queryKey: keys.addresses(user._id), queryFn: () => send(listAddresses, { params: { userId: user._id } }) })
  const saved = data?.savedAddress ?? []
  if (saved.length === 0) return null
  const choose = (id: string | null) => {
    setChosen(id)
    const address = saved.find(({ _id }) => _id === id)
    if (address) onChoose(senderOf(address))
  }
  return (
    <div className={styles.saved}>
      <SelectField label={texts.saved} error={null} placeholder={texts.choose} value={chosen} onChange={choose}
        data={saved.map(({ _id, address_id, city, state }) => ({ value: _id, label: `${address_id} · ${city}, ${state}` }))} />
      <Link to="/main/address">{texts.book}</Link>
    </div>
  )
}
