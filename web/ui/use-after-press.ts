import { useEffect, useEffectEvent, useRef } from 'react'

/** A menu or a dragged link may swallow the release, and a key is pressed without the mouse. */
const ENDS_OF_A_PRESS = ['mouseup', 'dragend', 'contextmenu', 'keydown'] as const

/**
 * For what a field does when it loses the focus and what may move the page: called while a mouse button is pressed, `action` runs at
 * its release, just before the click. Otherwise the target of the press would move away from under it, and miss its click.
 */
export function useAfterPress(action: () => void): () => void {
  const isPressed = useRef(false)
  const isDue = useRef(false)
  const end = useEffectEvent(() => {
    isPressed.current = false
    if (!isDue.current) return
    isDue.current = false
    action()
  })
  useEffect(() => {
    const press = () => {
      isPressed.current = true
    }
    const release = () => end()
    addEventListener('mousedown', press, true)
    for (const name of ENDS_OF_A_PRESS) addEventListener(name, release, true)
    return () => {
      removeEventListener('mousedown', press, true)
      for (const name of ENDS_OF_A_PRESS) removeEventListener(name, release, true)
    }
  }, [])
  return () => {
    if (isPressed.current) isDue.current = true
    else action()
  }
}
