import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { IconButton } from './Button.tsx'
import { texts } from './texts.ts'

/** Light or dark; until it is touched the system decides. */
export function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  return (
    <IconButton
      large
      name={dark ? texts.toLight : texts.toDark}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <IconSun aria-hidden="true" /> : <IconMoon aria-hidden="true" />}
    </IconButton>
  )
}
