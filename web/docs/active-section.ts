/**
 * Marks in the contents where the reader is: the last section whose start has been scrolled past. The contents follow,
 * unless the reader is in them.
 */
export function setUpActiveSection(contents: HTMLElement | null): void {
  if (!contents) return
  const links = new Map(
    [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].flatMap(link => {
      const section = document.getElementById(link.hash.slice(1))
      return section ? [[section, link] as const] : []
    }),
  )
  let active: HTMLAnchorElement | undefined
  let isPlanned = false
  const mark = (): void => {
    isPlanned = false
    const line = window.innerHeight / 4
    const passed = [...links].findLast(([section]) => section.getBoundingClientRect().top <= line)
    const link = passed?.[1] ?? [...links.values()][0]
    if (link === active) return
    active?.removeAttribute('aria-current')
    link?.setAttribute('aria-current', 'location')
    active = link
    if (link && !contents.matches(':hover, :focus-within')) showIn(contents, link)
  }
  const plan = (): void => {
    if (!isPlanned) requestAnimationFrame(mark)
    isPlanned = true
  }
  addEventListener('scroll', plan, { passive: true })
  addEventListener('resize', plan, { passive: true })
  mark()
}

/** Scrolls the box alone, and only if it scrolls by itself; `scrollIntoView` would scroll the page too. */
function showIn(box: HTMLElement, link: HTMLElement): void {
  if (box.scrollHeight <= box.clientHeight) return
  const [outer, inner] = [box.getBoundingClientRect(), link.getBoundingClientRect()]
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    box.scrollTop += inner.top - outer.top - box.clientHeight / 3
}
