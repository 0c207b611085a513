import { useRef, useState } from 'react'
import { formProblemsFrom } from './form-problems.ts'
import type { FormProblems, FieldErrors } from './form-problems.ts'
import { messageOf } from './send.ts'

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
  /** As `form`, also for functions of earlier renders. */
  const latest = useRef(form)
  const show = (next: Record<Field, string>) => {
    latest.current = next
    setForm(next)
  }
  const [problems, setProblems] = useState<FormProblems<Field>>({ fields: {}, form: null })
  const [busy, setBusy] = useState(false)
  /** Counts the records that the form has shown: an answer about an earlier one is not about this one. */
  const record = useRef(0)
  const reset = (next: Record<Field, string>) => {
    record.current++
    show(next)
    setProblems({ fields: {}, form: null })
  }
  /** Replaces some values, and keeps what was typed in the other fields meanwhile. */
  const fill = (values: Partial<Record<Field, string>>) => {
    show({ ...latest.current, ...values })
    setProblems({ fields: {}, form: null })
  }
  /** Takes over newer values of the server, chosen from what the fields have by now. The errors stay. */
  const renew = (values: (form: Record<Field, string>) => Partial<Record<Field, string>>) =>
    show({ ...latest.current, ...values(latest.current) })
  const bind: BindField<Field> = name => ({
    name,
    value: form[name],
    error: problems.fields[name],
    onText: text => {
      show({ ...latest.current, [name]: text })
      setProblems(({ fields }) => ({ fields: { ...fields, [name]: undefined }, form: null }))
    },
  })
  /**
   * True when `save` succeeded. `onFailed` runs for a failure that belongs to no field; with the server's reason if the form shows
   * another record by then.
   */
  const submit = async (
    save: (form: Record<Field, string>) => Promise<void>,
    onFailed: (reason?: string) => void,
  ): Promise<boolean> => {
    const fields = check(form)
    setProblems({ fields, form: null })
    if (busy || Object.keys(fields).length > 0) return false
    setBusy(true)
    const submitted = record.current
    try {
      await save(form)
      return true
    } catch (reason) {
      if (record.current !== submitted) {
        onFailed(messageOf(reason, fallbackMessage))
        return false
      }
      const refused = formProblemsFrom(reason, form, fallbackMessage)
      setProblems(refused)
      if (refused.form !== null) onFailed()
      return false
    } finally {
      setBusy(false)
    }
  }
  /** Whether the form still has these values: false once something else was typed while they were saved. */
  const isShown = (sent: Record<Field, string>): boolean =>
    (Object.keys(sent) as Field[]).every(name => latest.current[name] === sent[name])
  return { form, bind, busy, submit, reset, fill, renew, isShown, formError: problems.form }
}
