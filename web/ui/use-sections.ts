import { useEffect, useState } from 'react'

/** A part of a long page: `id` is of the element that is scrolled to. */
export type PageSection = { id: string; text: string }

/**
 * Which part of a long page is shown, at first the one of the address (`#webhooks`). The others are hidden: one with unsaved
 * changes keeps them.
 */
export function useSections(sections: readonly PageSection[]) {
  const [chosen, setChosen] = useState(
    () => sections.find(({ id }) => `#${id}` === location.hash)?.id ?? sections[0]!.id,
  )
  useEffect(() => {
    const ofAddress = () => {
      const id = location.hash.slice(1)
      if (sections.some(section => section.id === id)) setChosen(id)
    }
    addEventListener('hashchange', ofAddress)
    return () => removeEventListener('hashchange', ofAddress)
  }, [sections])
  const choose = (id: string) => {
    setChosen(id)
    scrollTo(0, 0)
    history.replaceState(history.state, '', `#${id}`)
  }
  return { sections, chosen, choose, isHidden: (id: string) => id !== chosen }
}
