import { useEffect, useRef } from 'react'

/** What lies over the page, the topmost last. */
const layers: object[] = []

/**
 * Of layers that lie over each other only the topmost hears Escape, which the kit tells to all of them. Wrap what closes a layer:
 * below another one it does nothing.
 */
export function useTopmostLayer(opened: boolean, onClose: () => void): () => void {
  const layer = useRef({})
  useEffect(() => {
    if (!opened) return
    const mine = layer.current
    // Neither at once: the key press that opened or closed this layer is still on its way to all of them.
    const coming = setTimeout(() => layers.push(mine))
    return () => {
      clearTimeout(coming)
      setTimeout(() => {
        const at = layers.lastIndexOf(mine)
        if (at >= 0) layers.splice(at, 1)
      })
    }
  }, [opened])
  return () => {
    if (layers.at(-1) === layer.current) onClose()
  }
}
