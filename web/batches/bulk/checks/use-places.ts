import { useEffect, useState } from 'react'
import { loadPlaces } from '#contract/zip-places.ts'
import type { ZipPlaces } from '#contract/zip-places.ts'

/** The ZIP table, loaded once there are rows; undefined until then and if it can't be loaded. */
export function usePlaces(hasRows: boolean): ZipPlaces | undefined {
  const [places, setPlaces] = useState<ZipPlaces>()
  useEffect(() => {
    if (!hasRows || places) return
    let isCurrent = true
    loadPlaces().then(
      loaded => isCurrent && setPlaces(loaded),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [hasRows, places])
  return places
}
