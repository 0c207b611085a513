import { useEffect, useEffectEvent } from 'react'
import { PASTED_FILE_NAME } from './use-bulk-upload.ts'

/** While the table is empty, cells pasted anywhere on the page are read as a file is. */
export function usePasteOnEmpty(isActive: boolean, onFile: (file: File) => void): void {
  const handlePaste = useEffectEvent((event: ClipboardEvent) => {
    const { target } = event
    const isField =
      target instanceof HTMLElement && target.closest('input:not([type="file"]), textarea') !== null
    const files = [...(event.clipboardData?.files ?? [])]
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const file = files[0] ?? (text.includes('\t') || text.includes('\n') ? pastedFile(text) : null)
    if (isField || event.defaultPrevented || !file) return
    event.preventDefault()
    onFile(file)
  })
  useEffect(() => {
    if (!isActive) return
    const listener = (event: ClipboardEvent) => handlePaste(event)
    addEventListener('paste', listener)
    return () => removeEventListener('paste', listener)
  }, [isActive])
}

const pastedFile = (text: string): File =>
  new File([text], PASTED_FILE_NAME, { type: 'text/tab-separated-values' })
