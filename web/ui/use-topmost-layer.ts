import { useLayoutEffect, useRef } from 'react'

/** Open dialogs, the topmost last. */
const layers: object[] = []

export const isDialogOpen = (): boolean => layers.length > 0

/** Key presses and clicks that have closed a dialog. */
const used = new WeakSet<Event>()

/**
 * Mantine sends Escape to every open dialog. Wraps `onClose` so that it works only for the topmost one, and so that one event
 * closes only one: React may have removed the topmost while the same event is still being dispatched to the others.
 */
export function useTopmostLayer(opened: boolean, onClose: () => void): () => void {
  const layer = useRef({})
  // Before the dialog is painted: an Escape pressed as soon as it is seen must not be lost.
  useLayoutEffect(() => {
    if (!opened) return
    const mine = layer.current
    layers.push(mine)
    return () => void layers.splice(layers.lastIndexOf(mine), 1)
  }, [opened])
  return () => {
    const { event } = window
    if (layers.at(-1) !== layer.current || (event && used.has(event))) return
    if (event) used.add(event)
    onClose()
  }
}
