/*
 * Runs before the first paint, written into the pages' heads by the build. Says that scripts run, and sets the colour scheme: the
 * remembered choice, else the system's, also when that changes before the page's own code has loaded. The key is the one of
 * ui/theme.ts.
 */
;(function () {
  const system = matchMedia('(prefers-color-scheme: dark)')
  function apply() {
    const scheme = localStorage.getItem('evenpost.theme')
    show(scheme === 'dark' || (scheme !== 'light' && system.matches))
  }
  function show(dark) {
    document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  }
  try {
    apply()
    system.addEventListener('change', apply)
  } catch {
    // Storage may be closed to us; the system's scheme is then right.
    show(system.matches)
  }
  document.documentElement.setAttribute('data-scripts', '')
  // The content policy forbids the code that zod would generate and run.
  globalThis.__zod_globalConfig = { jitless: true }
})()
