import { useEffect, useState } from 'react'
import { useIsPhone } from './use-viewport.ts'

/** A part of a long page: `id` is of the element that is scrolled to. */
export type PageSection = { id: string; text: string }

/** The reader is in the last part that begins above this share of the window. */
const READING_LINE = 0.3

/**
 * Which part of a long page is chosen, at first the one of the address (`#webhooks`). A phone shows this part alone; elsewhere
 * all are there, and the choice follows the reader.
 */
export function useSections(sections: readonly PageSection[]) {
  const phone = useIsPhone()
  const [chosen, setChosen] = useState(
    () => sections.find(({ id }) => `#${id}` === location.hash)?.id ?? sections[0]!.id,
  )
  const ids = sections.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (phone) return undefined
    const follow = () => setChosen(readSection(ids.split(' ')))
    addEventListener('scroll', follow, { passive: true })
    return () => removeEventListener('scroll', follow)
  }, [phone, ids])
  // The page is drawn after the browser has looked for the place of the address.
  useEffect(() => {
    if (!phone && `#${chosen}` === location.hash) document.getElementById(chosen)?.scrollIntoView()
    // Once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const choose = (id: string) => {
    setChosen(id)
    if (phone) scrollTo(0, 0)
    else document.getElementById(id)?.scrollIntoView()
    history.replaceState(history.state, '', `#${id}`)
  }
  return { sections, chosen, choose, isHidden: (id: string) => phone && id !== chosen }
}

function readSection(ids: readonly string[]): string {
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
  if (isAtEnd && scrollY > 0) return ids.at(-1)!
  const line = innerHeight * READING_LINE
  const begun = ids.filter(id => {
    const top = document.getElementById(id)?.getBoundingClientRect().top
    return top !== undefined && top <= line
  })
  return begun.at(-1) ?? ids[0]!
}
