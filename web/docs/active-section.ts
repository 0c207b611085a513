import { createGroupFollower } from './group-follower.ts'

/**
 * Marks in the contents where the reader is: the last section whose start has been scrolled past. The contents follow, with the group
 * of the section open, unless the reader is in them.
 */
export function setUpActiveSection(contents: HTMLElement | null): void {
  if (!contents) return
  const links = new Map(
    [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].flatMap(link => {
      const section = document.getElementById(link.dataset.from ?? link.hash.slice(1))
      return section ? [[section, link] as const] : []
    }),
  )
  const here = contents.querySelector('[data-here]')
  const groupOf = (link?: Element) => link?.closest<HTMLDetailsElement>('[data-group]') ?? undefined
  const follow = createGroupFollower(groupOf([...links.values()][0]))
  let active: HTMLAnchorElement | undefined
  let isPlanned = false
  const mark = (): void => {
    isPlanned = false
    const line = window.innerHeight / 4
    const passed = [...links].findLast(([section]) => section.getBoundingClientRect().top <= line)
    const link = passed?.[1] ?? [...links.values()][0]
    const isSame = link === active
    if (!isSame) {
      active?.removeAttribute('aria-current')
      link?.setAttribute('aria-current', 'location')
      active = link
      if (here) here.textContent = link?.lastChild?.textContent ?? ''
    }
    if (contents.matches(':hover, :focus-within')) return
    follow(groupOf(link))
    if (link && !isSame) showIn(contents, link)
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
