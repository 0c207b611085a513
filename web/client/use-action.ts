/** What a button or a form does: busy until it ends, then why it failed. */
import { useState } from 'react'
import { toastError } from '#web/ui/toasts.ts'
import { formProblemsFrom } from './form-problems.ts'
import type { FieldErrors, FormProblems } from './form-problems.ts'
import { messageOf } from './send.ts'

/** `known` has the form's fields as keys: they get their own errors of a refusal. */
export function useAction<Field extends string = never>(
  fallbackMessage: string,
  known?: Readonly<Record<Field, unknown>>,
) {
  const [busy, setBusy] = useState(false)
  const [{ fields, form }, setProblems] = useState<FormProblems<Field>>({
    fields: {},
    form: null,
  })
  return {
    busy,
    errors: fields,
    /** The message for the whole form. */
    refused: form,
    clearRefusal: () => setProblems(now => ({ ...now, form: null })),
    clearError: (name: Field) =>
      setProblems(now => ({ ...now, fields: { ...now.fields, [name]: undefined } })),
    /** Shows the `wrong` fields, or does the work if there are none. */
    run: async (work: () => Promise<unknown>, wrong: FieldErrors<Field> = {}): Promise<void> => {
      setProblems({ fields: wrong, form: null })
      if (Object.values(wrong).some(Boolean)) return
      setBusy(true)
      try {
        await work()
      } catch (reason) {
        setProblems(
          known
            ? formProblemsFrom(reason, known, fallbackMessage)
            : { fields: {}, form: messageOf(reason, fallbackMessage) },
        )
      } finally {
        setBusy(false)
      }
    },
  }
}

/** As useAction, for a button without a place for a message: a failure is a toast. */
export function useToastedAction(
  fallbackMessage: string,
): [busy: boolean, run: (work: () => Promise<unknown>) => Promise<void>] {
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (reason) {
      toastError(messageOf(reason, fallbackMessage))
    } finally {
      setBusy(false)
    }
  }
  return [busy, run]
}
