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

/** What a field shows: over an amount typed as it was seen, one that was saved since. */
export function textIn<Key extends string>(
  edit: AmountEdit<Key> | undefined,
  { key, dollars }: AmountField<Key>,
): string {
  const text = edit?.typed[key]
  if (edit === undefined || text === undefined) return amountText(dollars)
  const seen = seenIn(edit, key)
  return amountOf(text) === seen && dollars !== seen ? amountText(dollars) : text
}

const seenIn = <Key extends string>({ seen }: AmountEdit<Key>, key: Key): number | null =>
  seen.fields.find(field => field.key === key)?.dollars ?? null

export const amountIn = <Key extends string>(
  edit: AmountEdit<Key> | undefined,
  field: AmountField<Key>,
): number | null => amountOf(textIn(edit, field))

/** One that says what was seen is no edit, and begins again with `row`. */
export function withTyped<Key extends string>(
  edit: AmountEdit<Key> | undefined,
  row: AmountRow<Key>,
  key: Key,
  text: string,
): AmountEdit<Key> {
  const { typed, seen } = edit && isEdited(edit, edit.seen) ? edit : { typed: {}, seen: row }
  return { typed: { ...typed, [key]: text }, seen }
}

/** Of the changed fields, as an edit of the row that was loaded again. */
export function onNewer<Key extends string>(
  edit: AmountEdit<Key>,
  newer: AmountRow<Key>,
): AmountEdit<Key> {
  const changed = edit.seen.fields
    .filter(field => amountIn(edit, field) !== field.dollars)
    .map(({ key }) => [key, edit.typed[key]])
  return { typed: Object.fromEntries(changed) as AmountEdit<Key>['typed'], seen: newer }
}

/** Whether the row shows other amounts than its saved ones. A field may write the same amount in another form: 5 or 5.00. */
export const isEdited = <Key extends string>(
  edit: AmountEdit<Key> | undefined,
  row: AmountRow<Key>,
): boolean => row.fields.some(field => amountIn(edit, field) !== field.dollars)
