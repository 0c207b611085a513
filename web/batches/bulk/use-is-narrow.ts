import { useMediaQuery } from '@mantine/hooks'

/** Under 1200 px: the tools of the table have no room for their words beside its title. */
export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 1199.98px)', false, { getInitialValueInEffect: false })
