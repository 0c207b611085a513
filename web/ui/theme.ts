/** The kit's theme. Colours and sizes live in tokens.css; here stands only what a stylesheet cannot say. */
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

/** Where the chosen scheme is remembered; theme.js, which the build writes into the pages, reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'evenpost.theme' })
