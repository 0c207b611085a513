/**
 * Does `work` for each of `items`, up to `many` of them at a time, and yields what came of it in their order: what takes long for each
 * by itself, such as a file in a bucket, is waited for once. No more than `many` results wait for their reader.
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
          // Told when its turn comes; until then nobody need be startled.
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
