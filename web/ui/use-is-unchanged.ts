import { useLayoutEffect, useRef } from 'react'

/**
 * Whether a form still has the `values` of this rendering, for the moment when they are saved: what was typed meanwhile is not closed
 * or replaced.
 */
export function useIsUnchanged(values: readonly unknown[]): () => boolean {
  const latest = useRef(values)
  useLayoutEffect(() => {
    latest.current = values
  })
  return () =>
    values.length === latest.current.length
    && values.every((value, at) => Object.is(value, latest.current[at]))
}
