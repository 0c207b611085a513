/**
 * Runs `work` for up to `many` items at a time and yields results in order, so that slow reads
 * overlap. At most `many` results wait for the reader.
 */
export async function* mapConcurrent<T, R>(
  items: AsyncIterable<T>,
  many: number,
  work: (item: T) => Promise<R> | R,
): AsyncGenerator<R> {
  const source = items[Symbol.asyncIterator]()
  const begun: (Promise<R> | R)[] = []
  let isOver = false
  try {
    for (;;) {
      while (!isOver && begun.length < many) {
        const next = await source.next()
        if (next.done) isOver = true
        else {
          const result = work(next.value)
          // The error is thrown when its turn comes; until then it must not count as unhandled.
          if (result instanceof Promise) result.catch(() => {})
          begun.push(result)
        }
      }
      if (begun.length === 0) return
      yield await begun.shift()!
    }
  } finally {
    await source.return?.()
  }
}
