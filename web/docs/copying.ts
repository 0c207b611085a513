const SHOWN_MS = 2_000

/** Copies the code beside each button, whose name then says so. */
export function setUpCopying(buttons: Iterable<HTMLElement>): void {
  const said = document.querySelector<HTMLElement>('[data-copied]')?.dataset.copied ?? ''
  for (const button of buttons) {
    const name = button.textContent
    button.addEventListener('click', async () => {
      const code = button.closest('[data-surface]')?.querySelector('code')?.textContent ?? ''
      await navigator.clipboard.writeText(code)
      button.textContent = said
      setTimeout(() => (button.textContent = name), SHOWN_MS)
    })
  }
}
