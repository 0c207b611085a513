import { useEffect, useRef, useState } from 'react'
import { useIsPhone } from './use-viewport.ts'

/** A part of a long page: `id` is of the element that is scrolled to. */
export type PageSection = { id: string; text: string }

/** What a reader moves the page with. Other scrolling is of the browser, after a choice. */
const MOVES_OF_READER = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Which part of a long page is chosen, at first the one of the address (`#webhooks`). A phone shows this part alone, and so
 * does every screen with `alone`. Otherwise all are there, and the choice follows the reader: a chosen part stays chosen, and
 * in its place while parts above it load, until the reader moves on, since the last parts may be too short to reach the top.
 */
export function useSections(sections: readonly PageSection[], alone = false) {
  const phone = useIsPhone()
  const single = phone || alone
  const ids = sections.map(({ id }) => id).join(' ')
  const [chosen, setChosen] = useState(
    () => sections.find(({ id }) => `#${id}` === location.hash)?.id ?? sections[0]!.id,
  )
  /** The chosen part until the reader moves on. */
  const pinned = useRef(`#${chosen}` === location.hash ? chosen : null)
  useEffect(() => {
    const ofAddress = () => {
      const id = location.hash.slice(1)
      if (ids.split(' ').includes(id)) setChosen(id)
    }
    addEventListener('hashchange', ofAddress)
    return () => removeEventListener('hashchange', ofAddress)
  }, [ids])
  useEffect(() => {
    if (single) return undefined
    const follow = () => {
      if (pinned.current === null) setChosen(before => readSection(ids.split(' '), before))
    }
    const release = () => (pinned.current = null)
    const sizes = new ResizeObserver(() => {
      if (pinned.current !== null) document.getElementById(pinned.current)?.scrollIntoView()
    })
    sizes.observe(document.body)
    addEventListener('scroll', follow, { passive: true })
    for (const move of MOVES_OF_READER) addEventListener(move, release, { passive: true })
    return () => {
      sizes.disconnect()
      removeEventListener('scroll', follow)
      for (const move of MOVES_OF_READER) removeEventListener(move, release)
    }
  }, [single, ids])
  const choose = (id: string) => {
    pinned.current = id
    setChosen(id)
    if (single) scrollTo(0, 0)
    else document.getElementById(id)?.scrollIntoView()
    history.replaceState(history.state, '', `#${id}`)
  }
  return { sections, chosen, choose, isHidden: (id: string) => single && id !== chosen }
}

/**
 * The last part that begins above the reading line. The line is at the top of the window at the top of the page and goes to
 * the bottom with it, so that every part is reached. Of parts beside each other, `before` or the first; on a page that does
 * not scroll, `before`.
 */
function readSection(ids: readonly string[], before: string): string {
  const most = document.documentElement.scrollHeight - innerHeight
  if (most <= 0) return before
  const line = (innerHeight * scrollY) / most
  const tops = ids.flatMap(id => {
    const top = document.getElementById(id)?.getBoundingClientRect().top
    return top === undefined ? [] : [{ id, top }]
  })
  const reached = tops.findLast(({ top }) => top <= line) ?? tops[0]
  if (!reached) return before
  const beside = tops.filter(({ top }) => Math.abs(top - reached.top) < 1)
  return beside.some(({ id }) => id === before) ? before : beside[0]!.id
}
