/** Errors of a form: at its fields, else for the whole form. Pure. */
import { fieldErrorsOf, messageOf } from './send.ts'

export type FieldErrors<Field extends string> = Partial<Record<Field, string>>

/** `form` is the message for the whole form; null when every error has a field. */
export type FormProblems<Field extends string> = { fields: FieldErrors<Field>; form: string | null }

/**
 * The server's errors at their fields, else its message, else `fallback`. `known` has the form's fields as keys. A call that
 * takes a list names a field of its only record '1.weight'.
 */
export function formProblemsFrom<Field extends string>(
  reason: unknown,
  known: Readonly<Record<Field, unknown>>,
  fallback: string,
): FormProblems<Field> {
  const entries = Object.entries(fieldErrorsOf(reason)).map(
    ([name, text]) => [name.replace(/^1\./, ''), text] as const,
  )
  const atFields = entries.filter(([name]) => Object.hasOwn(known, name))
  const withoutField = entries
    .filter(([name]) => !Object.hasOwn(known, name))
    .map(([, text]) => text)
  const form =
    withoutField.length > 0
      ? withoutField.join(' ')
      : atFields.length > 0
        ? null
        : messageOf(reason, fallback)
  return { fields: Object.fromEntries(atFields) as FieldErrors<Field>, form }
}
