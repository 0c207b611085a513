/**
 * The edits of several rows after the one of row `id` was saved as it was `sent`: it is gone. Where something else was typed
 * meanwhile that stays, and `saved` is what it changes.
 */
export function editsAfterSave<Edit extends { seen: unknown }>(
  edits: Readonly<Record<string, Edit>>,
  id: string,
  sent: Edit | undefined,
  saved: Edit['seen'],
): Record<string, Edit> {
  const { [id]: latest, ...others } = edits
  if (latest === undefined || latest === sent) return others
  return { ...others, [id]: { ...latest, seen: saved } }
}
