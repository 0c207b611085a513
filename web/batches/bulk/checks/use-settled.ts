import { useEffect, useState } from 'react'

/** The last value that did not change for so many ms. */
export function useSettled<T>(value: T, first: T, ms: number): T {
  const [settled, setSettled] = useState(() => first)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
