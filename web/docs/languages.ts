const LANGUAGE_KEY = 'evenpost.docs-language'

export function setUpLanguages(choices: Iterable<HTMLInputElement>): void {
  const inputs = [...choices]
  const show = (id: string): void => {
    for (const input of inputs) input.checked = input.value === id
    for (const code of document.querySelectorAll<HTMLElement>('[data-language]'))
      code.hidden = code.dataset.language !== id
  }
  for (const input of inputs)
    input.addEventListener('change', () => {
      show(input.value)
      try {
        localStorage.setItem(LANGUAGE_KEY, input.value)
      } catch {
        // Storage is blocked; the choice lasts as long as the page.
      }
    })
  const first = inputs[0]?.value ?? ''
  const remembered = rememberedLanguage()
  show(inputs.some(({ value }) => value === remembered) ? remembered! : first)
}

function rememberedLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY)
  } catch {
    return null
  }
}
