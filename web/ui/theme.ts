/** Mantine's theme: only what CSS cannot express. Colors and sizes are in tokens.css. */
import { createTheme, localStorageColorSchemeManager } from '@mantine/core'

export const theme = createTheme({
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Tooltip: {
      defaultProps: {
        openDelay: 150,
        transitionProps: { duration: 140 },
        events: { hover: true, focus: true, touch: true },
      },
    },
  },
})

/** web/theme.js, inlined into the pages, reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'evenpost.theme' })
