/** Browsers read the object URL some time after the click. */
const OBJECT_URL_LIFETIME_MS = 60_000

export function saveTextFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  saveBlob(name, new Blob([text], { type }))
}

/** Saves bytes as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), OBJECT_URL_LIFETIME_MS)
}
