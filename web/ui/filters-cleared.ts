/** Tells the search fields of a page that all filters were cleared, so that text typed just before is not searched for. */
const listeners = new Set<() => void>()

/** Returns a function that stops listening. */
export function onFiltersCleared(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function notifyFiltersCleared(): void {
  for (const listener of listeners) listener()
}
