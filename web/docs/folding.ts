export function setUpFolding(buttons: Iterable<HTMLElement>): void {
  for (const button of buttons) {
    const code = button.closest<HTMLElement>('[data-folded]')
    const box = code?.querySelector('pre')
    const showAll = button.textContent
    const fold = (isFolded: boolean): void => {
      code?.toggleAttribute('data-folded', isFolded)
      button.setAttribute('aria-expanded', String(!isFolded))
      button.textContent = isFolded ? showAll : button.dataset.fewer!
    }
    button.addEventListener('click', () => {
      fold(button.getAttribute('aria-expanded') === 'true')
      if (box) box.scrollTop = 0
      // The lines above it went.
      button.scrollIntoView({ block: 'nearest' })
    })
    // The browser found something in a line that was hidden.
    box?.addEventListener('scroll', () => {
      if (box.scrollTop > 0) fold(false)
    })
  }
}
