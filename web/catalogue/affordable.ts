/** How many labels a balance pays for, in dollars; null when the price is unknown or 0. Pure. */
export function affordableCount(balance: number, price: number | null | undefined): number | null {
  const each = Math.round((price ?? 0) * 100)
  return each > 0 ? Math.max(0, Math.floor(Math.round(balance * 100) / each)) : null
}
