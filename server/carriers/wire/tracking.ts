import { stateCode } from '#contract/states.ts'

/** 'NEW BERLIN', 'WI' become 'New Berlin, WI'; '' without either. ZIP codes and countries are left out. */
export function placeText(
  city: string | null | undefined,
  state: string | null | undefined,
): string {
  const town = (city ?? '').trim()
  const shown = town === town.toUpperCase() ? capitalized(town) : town
  return [shown, (state ?? '').trim().toUpperCase()].filter(part => part !== '').join(', ')
}

/** 'OAK CREEK WI DISTRIBUTION CENTER' keeps its state. */
const capitalized = (text: string): string =>
  text.replace(/\S+/g, (word, at: number) =>
    at > 0 && stateCode(word) === word
      ? word
      : word.toLowerCase().replace(/^\P{L}*\p{L}|(?<=[-/])\p{L}/gu, letter => letter.toUpperCase()),
  )

/** 'yyyy-mm-dd' at the beginning of a date or time as the carrier writes it; null without one. */
export const leadingDay = (moment: string | null | undefined): string | null =>
  /^\d{4}-\d\d-\d\d(?=T|$)/.exec(moment ?? '')?.[0] ?? null
