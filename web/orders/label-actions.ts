/** What the menus of a label do outside of the product's pages. */
import { copyToClipboard } from '#web/ui/CopyText.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './details/texts.ts'
import { CARRIER_TRACKING_URL } from './ParcelLink.tsx'

/** Opens the carrier's tracking page in a new tab. */
export const trackAtCarrier = (tracking: string): void =>
  void window.open(CARRIER_TRACKING_URL + encodeURIComponent(tracking), '_blank', 'noopener')

export const copyTracking = (tracking: string): Promise<void> => copy(tracking, texts.copied)

/** The address of the parcel's public page. */
export const copyTrackingPage = (path: string): Promise<void> =>
  copy(new URL(path, location.origin).href, texts.pageCopied)

async function copy(text: string, done: string): Promise<void> {
  if (await copyToClipboard(text)) toastSuccess(done)
  else toastError(texts.copyFailed)
}
