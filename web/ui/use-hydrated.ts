import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False while a page that the build has rendered becomes interactive: what only the browser knows is not shown yet. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
