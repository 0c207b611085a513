import { useMediaQuery } from '@mantine/hooks'

/** Under 768 px. Known at the first render, so that no table is rendered and discarded. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })

/** From 1400 px: a table row has room for fields. */
export const useIsWide = (): boolean =>
  useMediaQuery('(min-width: 1400px)', true, { getInitialValueInEffect: false })

/** From 1024 px: the sidebar may be open, forms are beside tables. */
export const useIsDesktop = (): boolean =>
  useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false })
