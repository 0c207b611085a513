/*
 * Runs before the first paint, written into the pages' heads by the build. Says that scripts run, and sets the colour scheme: the
 * remembered choice, else the system's. The key is the one of ui/theme.ts.
 */
;(function () {
  let scheme = null
  try {
    scheme = localStorage.getItem('evenpost.theme')
  } catch {
    // Storage may be closed to us; the system's scheme is then right.
  }
  const dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  document.documentElement.setAttribute('data-scripts', '')
  // The content policy forbids the code that zod would generate and run.
  globalThis.__zod_globalConfig = { jitless: true }
})()
