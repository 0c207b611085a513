import { randomUUID } from 'node:crypto'

/** A SCAN form in a carrier's books; `isMade`: false while it is being made. */
export type StubForm = { id: string; trackingNumbers: string[]; isMade: boolean }

/** The forms of a carrier: a label is on one at most. */
export function createFormBooks() {
  const forms: StubForm[] = []
  const formOf = (trackingNumber: string): StubForm | undefined =>
    forms.find(({ trackingNumbers }) => trackingNumbers.includes(trackingNumber))
  return {
    find: (id: string): StubForm | undefined => forms.find(one => one.id === id),
    formOf,
    /** Null if a label is on a form already. */
    add(trackingNumbers: string[], isMade: boolean): StubForm | null {
      if (trackingNumbers.some(formOf)) return null
      const form = { id: randomUUID().replaceAll('-', ''), trackingNumbers, isMade }
      forms.push(form)
      return form
    },
    formsWith: (trackingNumber: string): number =>
      forms.filter(one => one.trackingNumbers.includes(trackingNumber)).length,
  }
}
