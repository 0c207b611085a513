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
  const reveal = (hash: string): void => {
    const place = document.getElementById(hash.slice(1))
    const folded = place?.closest<HTMLDetailsElement>('details:not([open])')
    if (!place || !folded) return
    folded.open = true
    place.scrollIntoView()
  }
  document.addEventListener('click', ({ target }) => {
    const link = (target as HTMLElement).closest<HTMLAnchorElement>('a[href^="#"]')
    if (link) reveal(link.hash)
  })
  reveal(location.hash)
}
