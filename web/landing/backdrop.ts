/**
 * Marks whether the hero's backdrop has loaded or is missing. Until then CSS shows a spinner; then
 * it fades the backdrop in.
 */
export function showBackdrop(image: HTMLImageElement | null): void {
  if (!image) return
  const settle = () => {
    image.dataset.backdrop = image.naturalWidth > 0 ? 'there' : 'missing'
  }
  if (image.complete) return settle()
  image.addEventListener('load', settle)
  image.addEventListener('error', settle)
}
