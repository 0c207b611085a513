import { useState } from 'react'
import { formProblemsFrom } from './form-problems.ts'
import type { FormProblems, FieldErrors } from './form-problems.ts'

/** A field of the draft: what it holds, its error, and how it is changed. */
export type BindField<Field extends string> = (name: Field) => {
  name: Field
  value: string
  error: string | undefined
  onText: (text: string) => void
}

type FormDraftOptions<Field extends string> = {
  initialValues: () => Record<Field, string>
  /** Wrong fields, each with its sentence. The server checks the same again. */
  check: (form: Record<Field, string>) => FieldErrors<Field>
  /** What is said when the server says nothing. */
  fallbackMessage: string
}

/** A form of texts while it is typed: checked here, then sent, then judged by the server. */
export function useFormDraft<Field extends string>({
  initialValues,
  check,
  fallbackMessage,
}: FormDraftOptions<Field>) {
  const [form, setForm] = useState(initialValues)
  const [complaint, setComplaint] = useState<FormProblems<Field>>({ fields: {}, form: null })
  const [busy, setBusy] = useState(false)
  const reset = (next: Record<Field, string>) => {
    setForm(next)
    setComplaint({ fields: {}, form: null })
  }
  const bind: BindField<Field> = name => ({
    name,
    value: form[name],
    error: complaint.fields[name],
    onText: text => {
      setForm(old => ({ ...old, [name]: text }))
      setComplaint(({ fields }) => ({ fields: { ...fields, [name]: undefined }, form: null }))
    },
  })
  /** True when `work` has taken it. `failed` is told of a failure that has no field. */
  const submit = async (
    work: (form: Record<Field, string>) => Promise<void>,
    failed: () => void,
  ): Promise<boolean> => {
    const fields = check(form)
    setComplaint({ fields, form: null })
    if (busy || Object.keys(fields).length > 0) return false
    setBusy(true)
    try {
      await work(form)
      return true
    } catch (reason) {
      const said = formProblemsFrom(reason, form, fallbackMessage)
      setComplaint(said)
      if (said.form !== null) failed()
      return false
    } finally {
      setBusy(false)
    }
  }
  return { form, bind, busy, submit, reset, formError: complaint.form }
}
