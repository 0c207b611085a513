import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'

/**
 * Settles items as one group. If the group fails, settles each item alone, so that one bad item does not hold up the others, and
 * passes errors of single items to `onItemError`. Throws the error of a group of one, and any error of an unavailable database.
 * Returns whether the group was settled as a whole.
 */
export async function settleEach<Item>(
  items: Item[],
  settleGroup: (items: Item[]) => Promise<void>,
  onItemError: (error: unknown, item: Item) => void,
): Promise<boolean> {
  try {
    await settleGroup(items)
    return true
  } catch (error) {
    if (items.length === 1 || isDatabaseUnavailable(error)) throw error
  }
  for (const item of items) await settleGroup([item]).catch(error => onItemError(error, item))
  return false
}
