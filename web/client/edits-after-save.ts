/**
 * The edits of several rows after the one of row `id` was `saved`: it is gone. Where something else was typed meanwhile that stays,
 * and `saved` is what it changes. `isEdited`: whether an edit differs from `saved`.
 */
export function editsAfterSave<Edit extends { seen: unknown }>(
  edits: Readonly<Record<string, Edit>>,
  id: string,
  saved: NonNullable<Edit['seen']>,
  isEdited: (latest: Edit) => boolean,
): Record<string, Edit> {
  const { [id]: latest, ...others } = edits
  if (latest === undefined || !isEdited(latest)) return others
  return { ...others, [id]: { ...latest, seen: saved } }
}

/**
 * The edits after the one of row `id` was refused because another user had changed the row: what is typed stays, to be saved over
 * that change, of which the user is told now. What was discarded meanwhile does not come back.
 */
export function editsAfterConflict<Edit extends { seen: unknown }>(
  edits: Readonly<Record<string, Edit>>,
  id: string,
): Readonly<Record<string, Edit>> {
  const latest = edits[id]
  return latest === undefined ? edits : { ...edits, [id]: { ...latest, seen: null } }
}
