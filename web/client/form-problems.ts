/** What is wrong with a form that is typed: said at its fields, else for the whole. Pure. */
import { fieldErrorsOf, messageOf } from './send.ts'

export type FieldErrors<Field extends string> = Partial<Record<Field, string>>

/** Errors at their fields; `form` is the sentence for the whole, where none of them has a field. */
export type FormProblems<Field extends string> = { fields: FieldErrors<Field>; form: string | null }

/**
 * The server's errors at their fields, else its sentence, else `otherwise` (specification, 5: generic form). `known` has the
 * form's fields as keys. A call that takes a list names the field of its only record '1.weight'.
 */
export function formProblemsFrom<Field extends string>(
  reason: unknown,
  known: Readonly<Record<Field, unknown>>,
  otherwise: string,
): FormProblems<Field> {
  const entries = Object.entries(fieldErrorsOf(reason)).map(
    ([name, text]) => [name.replace(/^1\./, ''), text] as const,
  )
  const atFields = entries.filter(([name]) => Object.hasOwn(known, name))
  const homeless = entries.filter(([name]) => !Object.hasOwn(known, name)).map(([, text]) => text)
  const form =
    homeless.length > 0
      ? homeless.join(' ')
      : atFields.length > 0
        ? null
        : messageOf(reason, otherwise)
  return { fields: Object.fromEntries(atFields) as FieldErrors<Field>, form }
}
