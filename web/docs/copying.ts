const SHOWN_MS = 2_000

/** False where the browser refuses, as on a page without https. */
const copy = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies the code beside each button, whose name then says so. */
export function setUpCopying(buttons: Iterable<HTMLElement>): void {
  const { copied: said = '', byHand = '' } =
    document.querySelector<HTMLElement>('[data-copied]')?.dataset ?? {}
  for (const button of buttons) {
    const name = button.textContent
    button.addEventListener('click', async () => {
      const code = button.closest('[data-surface], dd')?.querySelector('code')
      if (!code) return
      const isCopied = await copy(code.textContent)
      if (!isCopied) getSelection()?.selectAllChildren(code)
      button.textContent = isCopied ? said : byHand
      setTimeout(() => (button.textContent = name), SHOWN_MS)
    })
  }
}
