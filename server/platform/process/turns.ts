/**
 * Resolves when other requests have run. Of all costly work in this process one part runs between
 * two looks at the network: thirty uploads at once delay others no more than one.
 */
export function yieldToOthers(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(startNext)
  })
}

const waiting: (() => void)[] = []

function startNext(): void {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(startNext)
}

/** Each call counts work as done; after `most` units of it other requests run. */
export function countedTurns(most: number): (units?: number) => Promise<void> {
  let done = 0
  return async (units = 1) => {
    done += units
    if (done < most) return
    done = 0
    await yieldToOthers()
  }
}
