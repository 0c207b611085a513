/** Formats that stay the same in every language (specification, 9). Money is formatted by `usdFromDollars` of the contract. */

const PARTS = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23',
})

/** A whole count as '1,352'. */
export const count = (value: number): string => value.toLocaleString('en-US')

/** The reader's local day and minute: {day: '20-11-2026', minute: '11:42'}, 24 hours. */
export function dayAndMinute(at: Date): { day: string; minute: string } {
  const part = Object.fromEntries(PARTS.formatToParts(at).map(piece => [piece.type, piece.value]))
  return { day: `${part.day}-${part.month}-${part.year}`, minute: `${part.hour}:${part.minute}` }
}
