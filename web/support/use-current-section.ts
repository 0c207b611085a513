import { useEffect, useState } from 'react'

/** Where a heading stands after a click on its link, and somewhat below. */
const LEAST_LINE = 48

/**
 * Id of the section that is read: the last one whose heading is above a line, which moves down the window as the page is scrolled,
 * so that the last sections are reached too.
 */
export function useCurrentSection(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    let frame = 0
    const mark = () => {
      frame = 0
      const room = document.documentElement.scrollHeight - window.innerHeight
      const scrolled = room > 0 ? window.scrollY / room : 0
      const line = Math.max(LEAST_LINE, scrolled * window.innerHeight)
      const passed = ids.findLast(id => {
        const heading = document.getElementById(id)
        return heading !== null && heading.getBoundingClientRect().top <= line
      })
      setCurrent(passed ?? ids[0])
    }
    const plan = () => {
      frame ||= requestAnimationFrame(mark)
    }
    plan()
    addEventListener('scroll', plan, { passive: true })
    addEventListener('resize', plan, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', plan)
      removeEventListener('resize', plan)
    }
  }, [ids])
  return current
}
