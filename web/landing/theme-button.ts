const THEME_KEY = 'evenpost.theme' // of ui/theme.ts

/** Stores the scheme under the application's key. Until the visitor chooses, the system's scheme applies, also when it changes. */
export function setUpThemeButton(button: HTMLButtonElement | null): void {
  if (!button) return
  const root = document.documentElement
  const isDark = () => root.dataset.mantineColorScheme === 'dark'
  const show = (dark: boolean) => {
    root.dataset.mantineColorScheme = dark ? 'dark' : 'light'
    button.setAttribute('aria-label', (dark ? button.dataset.toLight : button.dataset.toDark) ?? '')
  }
  let isChosen = storedScheme() !== null
  button.addEventListener('click', () => {
    show(!isDark())
    isChosen = true
    storeScheme(isDark() ? 'dark' : 'light')
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (!isChosen) show(matches)
  })
  show(isDark())
}

// In private windows storage may be blocked; the choice then lasts as long as the page.
function storedScheme(): string | null {
  try {
    return localStorage.getItem(THEME_KEY)
  } catch {
    return null
  }
}

function storeScheme(scheme: string): void {
  try {
    localStorage.setItem(THEME_KEY, scheme)
  } catch {
    // As above.
  }
}
