import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** Goes to the part that the address names, and opens it. The browser looks for it before the text has loaded. */
export function useOpenAtHash(): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    const part = hash === '' ? null : document.getElementById(decodeHash(hash))
    if (part instanceof HTMLDetailsElement) part.open = true
    part?.scrollIntoView()
  }, [hash, key])
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
