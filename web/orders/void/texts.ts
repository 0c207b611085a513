/** What is said when labels are voided. */
import { counted, figure, plural } from '#contract/format.ts'

/** 'comes back to your balance'. */
export type Purse = 'own' | 'customer'
const purse: Record<Purse, string> = { own: 'your balance', customer: 'the customer’s balance' }

export const texts = {
  void: 'Void',
  voidName: (name: string) => `Void label for ${name}`,
  voidSeveral: (count: number) => `Void ${counted(count, 'label')}`,
  tooMany: (most: number) => `At most ${figure(most)} labels at once`,
  choose: (name: string) => `Select label for ${name}`,
  chooseAll: 'Select all labels of this page',
  chosen: (count: number, amount: string) => `${counted(count, 'label')} selected, ${amount}`,
  question: (count: number) =>
    count === 1 ? 'Void this label?' : `Void ${counted(count, 'label')}?`,
  comesBack: (amount: string, of: Purse) =>
    `${amount} comes back to ${purse[of]} when the carrier has confirmed.`,
  free: 'Nothing was paid, so nothing comes back.',
  forGood: (count: number) =>
    `${plural(count, 'It is', 'They are')} no postage any more then: do not ship with ${plural(count, 'it', 'them')}, printed or not.`,
  noName: 'no name',
  noTracking: 'no tracking number',
  more: (count: number) => `and ${counted(count, 'more', 'more')}`,
  confirm: (count: number) => (count === 1 ? 'Void label' : `Void ${counted(count, 'label')}`),
  cancel: 'Keep',
  close: 'Close',
  failed: 'It is not known whether that worked. Try again: nothing is voided or paid back twice.',
  outcome: (nothing: boolean) => (nothing ? 'Not voided' : 'Voided in part'),
  voided: (count: number) => `${counted(count, 'label')} voided.`,
  back: (amount: string, of: Purse) => `${amount} is back in ${purse[of]}.`,
  waiting: (count: number) =>
    `${counted(count, 'label waits', 'labels wait')} for the carrier’s answer.`,
  waitingHow: (count: number) =>
    `The money comes back when ${plural(count, 'the void is', 'the voids are')} confirmed; the list shows how far it is.`,
  refused: (count: number) => `${counted(count, 'label was', 'labels were')} not voided:`,
}
