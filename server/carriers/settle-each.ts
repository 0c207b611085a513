import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'

/**
 * Settles items as one group. If the group fails, settles its halves, and theirs, so that one bad item of 400 costs about 18
 * transactions and does not hold up the others. Passes errors of single items to `onItemError`. Throws the error of a group of
 * one, and any error of an unavailable database. Returns whether the group was settled as a whole.
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
  const middle = Math.floor(items.length / 2)
  for (const half of [items.slice(0, middle), items.slice(middle)])
    await settleEach(half, settleGroup, onItemError).catch(error =>
      half.forEach(item => onItemError(error, item)),
    )
  return false
}
