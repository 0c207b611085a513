/** On a phone the contents are a closed box at the top, which a chosen link closes again; elsewhere they are always open. */
export function setUpContents(contents: HTMLDetailsElement | null): void {
  if (!contents) return
  const phone = matchMedia('(max-width: 767.98px)')
  const fit = (): void => void (contents.open = !phone.matches)
  phone.addEventListener('change', fit)
  contents.addEventListener('click', ({ target }) => {
    if (phone.matches && (target as HTMLElement).closest('a')) contents.open = false
  })
  contents.addEventListener('keydown', event => {
    if (!phone.matches || event.key !== 'Escape') return
    contents.open = false
    contents.querySelector('summary')?.focus()
  })
  fit()
}

/** A link to what is folded opens it, in browsers that do not do so by themselves. */
export function setUpRevealing(): void {
  const unfold = (hash: string): Element | null => {
    const place = document.getElementById(hash.slice(1))
    const folded = place?.closest<HTMLDetailsElement>('details:not([open])')
    if (!place || !folded) return null
    folded.open = true
    return place
  }
  // The browser scrolls by itself, after it has stored where Back returns to.
  document.addEventListener('click', ({ target }) => {
    const link = (target as HTMLElement).closest<HTMLAnchorElement>('a[href^="#"]')
    if (link) unfold(link.hash)
  })
  unfold(location.hash)?.scrollIntoView()
}
