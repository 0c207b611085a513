/** What the menus of a label do outside of the product's pages. */
import { copyToClipboard } from '#web/ui/CopyText.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './details/texts.ts'
import { CARRIER_TRACKING_URL } from './ParcelLink.tsx'

/** Opens the carrier's tracking page in a new tab. */
export const trackAtCarrier = (tracking: string): void =>
  void window.open(CARRIER_TRACKING_URL + encodeURIComponent(tracking), '_blank', 'noopener')

export async function copyTracking(tracking: string): Promise<void> {
  if (await copyToClipboard(tracking)) toastSuccess(texts.copied)
  else toastError(texts.copyFailed)
}
