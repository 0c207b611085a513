/** Light or dark, remembered where the rest of the product looks for it (ui/theme.ts). The button says what it would do. */
export function switchTheme(button: HTMLButtonElement | null): void {
  if (!button) return
  const root = document.documentElement
  const isDark = () => root.dataset.mantineColorScheme === 'dark'
  const say = () => button.setAttribute('aria-label', (isDark() ? button.dataset.toLight : button.dataset.toDark) ?? '')
  button.addEventListener('click', () => {
    root.dataset.mantineColorScheme = isDark() ? 'light' : 'dark'
    say()
    try {
      localStorage.setItem('evenpost.theme', root.dataset.mantineColorScheme)
    } catch {
      // Storage is closed to us: the choice lasts as long as the page.
    }
  })
  say()
}
