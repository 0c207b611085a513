import { useMediaQuery } from '@mantine/hooks'

/** Under 768 px (specification, 9). Known at the first render, so that a table is never drawn and thrown away. */
export const usePhone = (): boolean => useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })

/** 1024 px and more: the sidebar may be open, forms stand beside tables. */
export const useDesktop = (): boolean => useMediaQuery('(min-width: 1024px)', true, { getInitialValueInEffect: false })
