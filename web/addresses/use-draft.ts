import { useState } from 'react'
import type { AddressForm } from '#contract/addresses.ts'
import { complaintFrom, NO_COMPLAINT } from './draft.ts'
import type { Complaint } from './draft.ts'
import { addressErrors } from './sender.ts'
import type { AddressField } from './sender.ts'

/** A field of the draft: what it holds, its error, and how it is changed. */
export type Bind = (name: AddressField) => { name: AddressField; value: string; error: string | undefined; onText: (text: string) => void }

/** An address while it is typed: checked here, then sent, then judged by the server. */
export function useDraft(begin: () => AddressForm) {
  const [form, setForm] = useState(begin)
  const [complaint, setComplaint] = useState<Complaint>(NO_COMPLAINT)
  const [busy, setBusy] = useState(false)
  const reset = (next: AddressForm) => {
    setForm(next)
    setComplaint(NO_COMPLAINT)
  }
  const bind: Bind = name => ({
    name, value: form[name], error: complaint.fields[name],
    onText: text => {
      setForm(old => ({ ...old, [name]: text }))
      setComplaint(({ fields }) => ({ fields: { ...fields, [name]: undefined }, form: null }))
    },
  })
  /** True when `work` has taken it. `failed` is told of a failure that has no field. */
  const submit = async (work: (form: AddressForm) => Promise<void>, failed: () => void): Promise<boolean> => {
    const fields = addressErrors(form)
    setComplaint({ fields, form: null })
    if (busy || Object.keys(fields).length > 0) return false
    setBusy(true)
    try {
      await work(form)
      return true
    } catch (reason) {
      const said = complaintFrom(reason)
      setComplaint(said)
      if (said.form !== null) failed()
      return false
    } finally {
      setBusy(false)
    }
  }
  return { form, bind, busy, submit, reset, problem: complaint.form }
}
