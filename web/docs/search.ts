/**
 * Leaves the calls in the contents that have all words of the search. '/' goes to the field, Enter
 * to the first call.
 */
export function setUpSearch(field: HTMLInputElement | null): void {
  if (!field) return
  const entries = [...document.querySelectorAll<HTMLElement>('[data-find]')]
  const groups = [...document.querySelectorAll<HTMLDetailsElement>('[data-group]')]
  const count = document.querySelector<HTMLElement>('[data-search-count]')
  const contents = document.querySelector<HTMLDetailsElement>('[data-contents]')
  /** The words of an entry, and for one with `data-find-in` those of its section. */
  const wordsOf = ({ dataset }: HTMLElement): string => {
    const section = dataset.findIn && document.getElementById(dataset.findIn)
    return section ? `${dataset.find} ${section.textContent.toLowerCase()}` : dataset.find!
  }
  /** Which groups were open before the search. */
  let wereOpen: boolean[] | undefined
  const filter = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const entry of entries) entry.hidden = !words.every(word => wordsOf(entry).includes(word))
    if (words.length > 0) wereOpen ??= groups.map(group => group.open)
    groups.forEach((group, at) => {
      const isFound = group.querySelector('[data-find]:not([hidden])') !== null
      group.hidden = words.length > 0 && !isFound
      group.open = words.length > 0 ? isFound : (wereOpen?.[at] ?? group.open)
    })
    if (words.length === 0) wereOpen = undefined
    const found = entries.filter(entry => !entry.hidden).length
    if (words.length > 0 && contents) contents.open = true
    if (count)
      count.textContent =
        words.length === 0
          ? ''
          : found === 0
            ? (count.dataset.nothing ?? '')
            : `${found} ${count.dataset.found}`
  }
  field.addEventListener('input', filter)
  field.addEventListener('keydown', event => {
    if (event.key !== 'Enter') return
    entries
      .find(entry => !entry.hidden)
      ?.querySelector('a')
      ?.click()
  })
  document.addEventListener('keydown', event => {
    const isTyping = (event.target as HTMLElement).closest?.('input, textarea, select') !== null
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (contents) contents.open = true
    field.focus()
  })
  // What was typed while this code loaded.
  filter()
  field.setAttribute('aria-keyshortcuts', '/')
}
