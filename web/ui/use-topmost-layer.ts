import { useEffect, useRef } from 'react'

/** Open dialogs, the topmost last. */
const layers: object[] = []

/** Mantine sends Escape to every open dialog. Wraps `onClose` so that it works only for the topmost one. */
export function useTopmostLayer(opened: boolean, onClose: () => void): () => void {
  const layer = useRef({})
  useEffect(() => {
    if (!opened) return
    const mine = layer.current
    // Both delayed: the key press that opened or closed this layer is still being dispatched to the others.
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
