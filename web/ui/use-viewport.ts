import { useMediaQuery } from '@mantine/hooks'

/** Under 768 px (specification, 9). Known at the first render, so that a table is never drawn and thrown away. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })

/** 1400 px and more: a wide table has room for fields in a row. */
export const useIsWide = (): boolean =>
  useMediaQuery('(min-width: 1400px)', true, { getInitialValueInEffect: false })

/** 1024 px and more: the sidebar may be open, forms stand beside tables. */
export const useIsDesktop = (): boolean =>
  useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false })
