/** A browser takes a file by its address a moment after it is told to. */
const OBJECT_URL_LIFETIME_MS = 60_000

/** Hands a text to the browser as a file to save. */
export function saveTextFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  saveBlob(name, new Blob([text], { type }))
}

/** Hands bytes to the browser as a file to save. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), OBJECT_URL_LIFETIME_MS)
}
