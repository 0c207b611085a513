import { useState } from 'react'
import type { DragEvent } from 'react'

/**
 * The whole page accepts files; otherwise the browser would open a dropped file and leave the page.
 */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isDraggedOver, setDraggedOver] = useState(false)
  const handle = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setDraggedOver(event.type === 'dragover')
    if (event.type === 'drop') onFiles([...event.dataTransfer.files])
  }
  return { isDraggedOver, handlers: { onDragOver: handle, onDragLeave: handle, onDrop: handle } }
}
