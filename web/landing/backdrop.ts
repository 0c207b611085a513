/** Says when the picture behind the hero is there; the sheet lets the ring turn until then and fades it in (specification, 2). */
export function showBackdrop(image: HTMLImageElement | null): void {
  if (!image) return
  const settle = () => {
    image.dataset.backdrop = image.naturalWidth > 0 ? 'there' : 'missing'
  }
  if (image.complete) return settle()
  image.addEventListener('load', settle)
  image.addEventListener('error', settle)
}
