/** Files of calls, taken by a button: what is refused is told on the page and not in a new tab. */
import type { Endpoint, RequestInput } from '#contract/endpoint.ts'
import { saveBlob } from './save-file.ts'
import { urlFor, ApiError, sendForFile } from './send.ts'

/** Saves the file under the server's name. Throws ApiError, with status 0 also when the file broke off. */
export async function saveApiFile<C extends Endpoint>(
  call: C,
  wish: RequestInput<C>,
  signal: AbortSignal,
): Promise<void> {
  const response = await sendForFile(call, wish, { signal })
  const blob = await response.blob().catch((reason: unknown) => {
    throw signal.aborted ? reason : new ApiError(0, '')
  })
  saveBlob(fileNameFrom(response.headers.get('content-disposition')), blob)
}

/**
 * Opens the file in a new tab by its own address, so that it has its own name there and is shown while it still comes. The server is
 * asked first whether there is one. Null when the tab is open; the address when the browser does not open tabs any more, because the
 * answer took too long after the click. Throws ApiError.
 */
export async function openApiFile<C extends Endpoint>(
  call: C,
  wish: RequestInput<C>,
  signal: AbortSignal,
): Promise<string | null> {
  const response = await sendForFile(call, wish, { signal })
  await response.body?.cancel()
  const address = urlFor(call, wish as { params?: unknown; query?: unknown })
  const tab = window.open(address, '_blank')
  if (!tab) return address
  tab.opener = null
  return null
}

/** 'label.zpl' of 'attachment; filename="label.zpl"'; the server's names hold nothing that is quoted. */
export const fileNameFrom = (disposition: string | null): string =>
  /filename="([^"\\]+)"/.exec(disposition ?? '')?.[1] ?? 'file'
