/** Downloads started by a button, so that a refusal shows on the page and not in a new tab. */
import type { Endpoint, RequestInput } from '#contract/endpoint.ts'
import { saveBlob } from './save-file.ts'
import { ApiError, sendForFile } from './send.ts'

/** Saves the file under the server's name. Throws ApiError; status 0 when the download breaks off. */
export async function saveApiFile<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  signal: AbortSignal,
): Promise<void> {
  const { name, blob } = await fetchApiFile(call, request, signal)
  saveBlob(name, blob)
}

/** The file as a data: URL, for a picture in the page. Throws ApiError. */
export async function loadPicture<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  signal: AbortSignal,
): Promise<string> {
  const { blob } = await fetchApiFile(call, request, signal)
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(new ApiError(0, '')))
    reader.readAsDataURL(blob)
  })
}

async function fetchApiFile<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  signal: AbortSignal,
): Promise<{ name: string; blob: Blob }> {
  const response = await sendForFile(call, request, { signal })
  const blob = await response.blob().catch((reason: unknown) => {
    throw signal.aborted ? reason : new ApiError(0, '')
  })
  return { name: fileNameFrom(response.headers.get('content-disposition')), blob }
}

/** An opened file can be reloaded and saved for so long. */
const OPEN_FILE_LIFETIME_MS = 10 * 60_000

/**
 * Fetches the file and opens it in a new tab, with one request: by its own address the server would build it again. Returns null
 * when the tab is open, the file's address in this browser when it was blocked: the response came too long after the click.
 * Throws ApiError.
 */
export async function openApiFile<C extends Endpoint>(
  call: C,
  request: RequestInput<C>,
  signal: AbortSignal,
): Promise<string | null> {
  const { blob } = await fetchApiFile(call, request, signal)
  const address = URL.createObjectURL(blob)
  setTimeout(() => URL.revokeObjectURL(address), OPEN_FILE_LIFETIME_MS)
  const tab = window.open(address, '_blank')
  if (!tab) return address
  tab.opener = null
  return null
}

/** 'label.zpl' from 'attachment; filename="label.zpl"'. The server's names need no escaping. */
export const fileNameFrom = (disposition: string | null): string =>
  /filename="([^"\\]+)"/.exec(disposition ?? '')?.[1] ?? 'file'
