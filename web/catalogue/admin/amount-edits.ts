/** What is typed in the rows of amounts. */

/** `dollars`: as saved; null: none. `note`: below the field. */
export type AmountField<Key extends string> = {
  key: Key
  label: string
  dollars: number | null
  placeholder: string
  isDisabled?: boolean
  note?: string | undefined
}

/** A service. */
export type AmountRow<Key extends string> = {
  id: string
  name: string
  fields: readonly AmountField<Key>[]
}

/**
 * What is typed in a row, by field. `seen`: the row as it was when the administrator began to type in it: the list is loaded
 * again meanwhile.
 */
export type AmountEdit<Key extends string> = {
  typed: Partial<Record<Key, string>>
  seen: AmountRow<Key>
}

/** Dollars as a field shows them; empty: none. */
export const amountText = (dollars: number | null): string =>
  dollars === null ? '' : dollars.toFixed(2)

const amountOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** What a field shows. */
export const amountIn = <Key extends string>(
  edit: AmountEdit<Key> | undefined,
  { key, dollars }: AmountField<Key>,
): number | null => amountOf(edit?.typed[key] ?? amountText(dollars))

/** Whether the row shows other amounts than its saved ones. A field may write the same amount in another form: 5 or 5.00. */
export const isEdited = <Key extends string>(
  edit: AmountEdit<Key> | undefined,
  row: AmountRow<Key>,
): boolean => row.fields.some(field => amountIn(edit, field) !== field.dollars)
