/** The slider below the chart of prices: moves the parcel along our line, and along the other one where there is one. */
export function setUpPriceSlider(chart: HTMLElement | null): void {
  const slider = chart?.querySelector<HTMLInputElement>('[data-slider]')
  const our = chart?.querySelector<SVGElement>('[data-parcel="our"]')
  const other = chart?.querySelector<SVGElement>('[data-parcel="other"]')
  const ourPrice = our?.textContent.split(' · ')[1]?.trim()
  if (!slider || !our || !ourPrice) return
  const otherPrices = JSON.parse(other?.dataset.prices ?? '[]') as [number, string, string][]

  const show = () => {
    const pounds = slider.valueAsNumber
    const across = (pounds - 1) / (Number(slider.max) - 1)
    moveTo(our, across, `${pounds} lb · ${ourPrice}`)
    const found = otherPrices.find(([upTo]) => pounds <= upTo)
    if (other) {
      other.toggleAttribute('data-beyond', !found)
      if (found) {
        other.setAttribute('y', `${found[2]}%`)
        moveTo(other, across, found[1])
      }
    }
    const otherText = found && `, ${other?.dataset.name}: ${found[1]}`
    slider.setAttribute('aria-valuetext', `${pounds} lb: ${ourPrice}${otherText ?? ''}`)
  }
  slider.addEventListener('input', show)
  show()
}

/** `across`: 0 to 1. At the ends the text grows inwards. */
function moveTo(parcel: SVGElement, across: number, text: string): void {
  parcel.setAttribute('x', `${across * 100}%`)
  const label = parcel.querySelector('text')
  label?.setAttribute('text-anchor', across < 0.2 ? 'start' : across > 0.8 ? 'end' : 'middle')
  if (label) label.textContent = text
}
