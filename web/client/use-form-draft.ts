import { useState } from 'react'
import { formProblemsFrom } from './form-problems.ts'
import type { FormProblems, FieldErrors } from './form-problems.ts'

/** The props of a field in the draft. */
export type BindField<Field extends string> = (name: Field) => {
  name: Field
  value: string
  error: string | undefined
  onText: (text: string) => void
}

type FormDraftOptions<Field extends string> = {
  initialValues: () => Record<Field, string>
  /** Invalid fields with their messages. The server validates again. */
  check: (form: Record<Field, string>) => FieldErrors<Field>
  /** Shown when the server sends no message. */
  fallbackMessage: string
}

/** The draft of a form with text fields: validated here, sent, and validated by the server. */
export function useFormDraft<Field extends string>({
  initialValues,
  check,
  fallbackMessage,
}: FormDraftOptions<Field>) {
  const [form, setForm] = useState(initialValues)
  const [problems, setProblems] = useState<FormProblems<Field>>({ fields: {}, form: null })
  const [busy, setBusy] = useState(false)
  const reset = (next: Record<Field, string>) => {
    setForm(next)
    setProblems({ fields: {}, form: null })
  }
  const bind: BindField<Field> = name => ({
    name,
    value: form[name],
    error: problems.fields[name],
    onText: text => {
      setForm(old => ({ ...old, [name]: text }))
      setProblems(({ fields }) => ({ fields: { ...fields, [name]: undefined }, form: null }))
    },
  })
  /** True when `save` succeeded. `onFailed` runs for a failure that belongs to no field. */
  const submit = async (
    save: (form: Record<Field, string>) => Promise<void>,
    onFailed: () => void,
  ): Promise<boolean> => {
    const fields = check(form)
    setProblems({ fields, form: null })
    if (busy || Object.keys(fields).length > 0) return false
    setBusy(true)
    try {
      await save(form)
      return true
    } catch (reason) {
      const refused = formProblemsFrom(reason, form, fallbackMessage)
      setProblems(refused)
      if (refused.form !== null) onFailed()
      return false
    } finally {
      setBusy(false)
    }
  }
  return { form, bind, busy, submit, reset, formError: problems.form }
}
