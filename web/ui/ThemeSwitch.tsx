import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { IconButton } from './Button.tsx'
import { texts } from './texts.ts'
import { useHydrated } from './use-hydrated.ts'
import styles from './ThemeSwitch.module.css'

/** Until the user chooses, the system's color scheme applies. */
export function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  // The build does not know the scheme, so CSS chooses the icon.
  const dark = useHydrated() && scheme === 'dark'
  return (
    <IconButton
      large
      name={dark ? texts.toLight : texts.toDark}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      <IconSun aria-hidden="true" className={styles.sun} />
      <IconMoon aria-hidden="true" className={styles.moon} />
    </IconButton>
  )
}
