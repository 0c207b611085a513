/** How far a balance goes. Pure; dollars as on the wire, counted in cents. */

/** How many labels at `price` a balance pays for; null where the price is not known or nothing is charged. */
export function affordableCount(balance: number, price: number | null | undefined): number | null {
  const each = Math.round((price ?? 0) * 100)
  return each > 0 ? Math.max(0, Math.floor(Math.round(balance * 100) / each)) : null
}
