/** The price that the server has written into the page: of each weight from 1 lb to the heaviest. */
type FlatPrice = { price: string; heaviestLb: number }

/** '$6.50 70' is $6.50 up to 70 lb. Null without such a price, or when it is for 1 lb alone. */
export function parseFlatPrice(content: string | null | undefined): FlatPrice | null {
  const [, price, heaviest] = /^(\$[\d,.]+) (\d+)$/.exec(content ?? '') ?? []
  return price && Number(heaviest) > 1 ? { price, heaviestLb: Number(heaviest) } : null
}

export const readFlatPrice = (): FlatPrice | null =>
  parseFlatPrice(document.querySelector<HTMLMetaElement>('meta[name="flat-price"]')?.content)
