const MOST_ROUNDS = 3

/**
 * Repeats a scenario in which a process may have stood still, so that it says nothing about the product: three rounds at most.
 * Each repeat is printed, and the result of the last round is returned. `isSpoiled`: a process may have stood still.
 */
export async function repeatSpoiled<Result>(
  scenario: () => Promise<Result>,
  isSpoiled: (result: Result) => boolean,
): Promise<Result> {
  for (let rounds = 1; ; rounds++) {
    const result = await scenario()
    if (rounds === MOST_ROUNDS || !isSpoiled(result)) return result
    console.log('a process may have stood still, so this is done once more:', result)
  }
}
